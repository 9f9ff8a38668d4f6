// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Columns that the device centres and scales, and their screening, against doubles: plain columns, coarse ones, some with far
// readings, some with missing ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "sotto/local/column.hpp"
#include "sotto/local/screen.hpp"

namespace sotto {
namespace {

struct Table {
  std::uint32_t rows, features;
  std::vector<Q15> numbers;

  [[nodiscard]] Q15& at(std::uint32_t i, std::uint32_t j) { return numbers[std::size_t{i} * (features + 1) + j]; }
  [[nodiscard]] Samples samples() const {
    Samples out{{rows, features, numbers.data(), features + 1, nullptr, nullptr}};
    out.units = RowUnits::own;
    return out;
  }
};

Table random_table(std::uint32_t rows, std::uint32_t features, std::mt19937_64& random) {
  Table table{rows, features, std::vector<Q15>(std::size_t{rows} * (features + 1))};
  std::normal_distribution<double> bell;
  for (std::uint32_t j = 0; j <= features; ++j) {
    const double scale = std::exp2(static_cast<double>(random() % 11)), offset = std::round(8000 * bell(random));
    const bool far = j % 3 == 1, missing = j % 4 == 2;
    for (std::uint32_t i = 0; i < rows; ++i) {
      double x = scale * bell(random);
      if (far && random() % 40 == 0) x *= 9;
      const double clipped = std::clamp(offset + x, -32767.0, 32767.0);
      table.at(i, j) = missing && random() % 6 == 0 ? k_missing_reading : static_cast<Q15>(std::lround(clipped));
    }
  }
  return table;
}

/// A column in standard deviations, clipped at four; zeros where readings are missing.
std::vector<double> exact_column(Table& table, std::uint32_t j) {
  double n = 0, sum = 0, square = 0;
  for (std::uint32_t i = 0; i < table.rows; ++i) {
    if (table.at(i, j) == k_missing_reading) continue;
    n += 1;
    sum += table.at(i, j);
    square += static_cast<double>(table.at(i, j)) * table.at(i, j);
  }
  const double mean = n == 0 ? 0 : sum / n, deviation = n == 0 ? 0 : std::sqrt(square / n - mean * mean);
  std::vector<double> out(table.rows);
  for (std::uint32_t i = 0; i < table.rows; ++i) {
    if (table.at(i, j) != k_missing_reading && deviation > 1e-9)
      out[i] = std::clamp((table.at(i, j) - mean) / deviation, -4.0, 4.0);
  }
  return out;
}

TEST(OwnUnits, columns_agree_with_doubles) {
  std::mt19937_64 random{1};
  for (int trial = 0; trial < 60; ++trial) {
    Table table = random_table(static_cast<std::uint32_t>(2 + random() % 300), 9, random);
    std::vector<Q15> column(table.rows);
    for (std::uint32_t j = 0; j <= table.features; ++j) {
      copy_column(table.samples(), j, column.data(), 1);
      const std::vector<double> exact = exact_column(table, j);
      for (std::uint32_t i = 0; i < table.rows; ++i) ASSERT_NEAR(column[i] / 8192.0, exact[i], 4e-4);
    }
  }
}

double value_of(std::uint32_t strength) { return std::ldexp(strength & 0xffffu, static_cast<int>(strength >> 16)); }

TEST(OwnUnits, scores_agree_with_doubles) {
  std::mt19937_64 random{2};
  double worst = 0;
  for (int trial = 0; trial < 60; ++trial) {
    Table table = random_table(static_cast<std::uint32_t>(20 + random() % 200), 24, random);
    const ScreenSpec spec{table.rows + static_cast<std::uint32_t>(random() % 50), 8192};
    std::vector<std::byte> work(screen_work_bytes(table.rows, true));
    std::vector<ScreenedColumn> best(table.features);
    screen(spec, table.samples(), {}, work, best);
    std::vector<Q15> target(table.rows);
    copy_column(table.samples(), table.features, target.data(), 1);
    std::vector<double> exact(table.features);
    double largest = 0;
    for (std::uint32_t j = 0; j < table.features; ++j) {
      const std::vector<double> x = exact_column(table, j);
      double product = 0, square = 0.1 * spec.nominal_rows;
      for (std::uint32_t i = 0; i < table.rows; ++i) {
        product += x[i] * target[i];
        square += x[i] * x[i];
      }
      exact[j] = product * product / square;
      largest = std::max(largest, exact[j]);
    }
    const double unit = largest / value_of(best[0].strength);
    for (const ScreenedColumn& column : best)
      worst = std::max(worst, std::abs(value_of(column.strength) * unit - exact[column.column]) / largest);
  }
  EXPECT_LT(worst, 2e-3);
  RecordProperty("worst", std::to_string(worst));
}

}  // namespace
}  // namespace sotto
