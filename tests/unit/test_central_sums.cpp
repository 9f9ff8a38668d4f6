// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "sotto/analyzer/central/coins.hpp"
#include "sotto/analyzer/central/grid_sum.hpp"
#include "src/central/minimise.hpp"

namespace sotto::analyzer::central {
namespace {

constexpr std::size_t k_columns = 12;

/// Random rows, and behind them rows that somebody made up: enormous, tiny, one-sided, all zero, with targets as large as floats are,
/// and one that left their range.
Problem nasty_problem(Loss loss, bool is_sparse, std::uint64_t seed) {
  Coins coins(seed);
  const auto unit = [&coins] { return static_cast<double>(coins.word() >> 11) * 0x1p-52 - 1; };
  std::vector<std::vector<float>> rows;
  for (int i = 0; i < 20; ++i) {
    rows.emplace_back();
    const double size = std::pow(10, 6 * unit());
    for (std::size_t j = 0; j < k_columns; ++j) rows.back().push_back(static_cast<float>(size * unit()));
  }
  rows.push_back(std::vector<float>(k_columns, 1e6f));
  rows.push_back(std::vector<float>(k_columns, 3e38f));
  rows.push_back(std::vector<float>(k_columns, 1e-40f));
  rows.push_back(std::vector<float>(k_columns, 0.0f));
  rows.emplace_back(k_columns, 0.0f);
  rows.back()[3] = -7e20f;
  Problem p;
  p.loss = loss;
  p.bounds = {.row = 2, .value = 0.7, .target = 1.5};
  std::vector<float> dense, values;
  std::vector<std::uint64_t> first{0};
  std::vector<std::uint32_t> column;
  for (const auto& row : rows) {
    dense.insert(dense.end(), row.begin(), row.end());
    for (std::uint32_t j = 0; j < k_columns; ++j) {
      if (row[j] == 0) continue;
      column.push_back(j);
      values.push_back(row[j]);
    }
    first.push_back(values.size());
    p.y.push_back(loss == Loss::logistic ? static_cast<float>(coins.below(2)) : static_cast<float>(1e3 * unit()));
  }
  if (loss != Loss::logistic) {
    std::fill(p.y.end() - 5, p.y.end(), 3e38f);
    p.y.push_back(-3e38f);
    p.y.push_back(std::numeric_limits<float>::infinity());
    for (int i = 0; i < 2; ++i) {
      dense.insert(dense.end(), k_columns, 0.05f);
      for (std::uint32_t j = 0; j < k_columns; ++j) column.push_back(j);
      values.insert(values.end(), k_columns, 0.05f);
      first.push_back(values.size());
    }
  }
  p.x = is_sparse ? Rows::sparse(first, column, values, k_columns) : Rows::dense(dense, k_columns);
  p.norms = p.x.norms();
  return p;
}

Weights random_weights(Coins& coins, double size) {
  std::vector<double> v;
  for (std::size_t j = 0; j < k_columns; ++j)
    v.push_back(size * (static_cast<double>(coins.word() >> 11) * 0x1p-52 - 1));
  return hard_threshold(v, 5);
}

/// Squared, exactly: differences are at most 2^30 each, or the test fails here.
std::uint64_t squared_norm(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
  std::uint64_t sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) {
    EXPECT_LE(std::abs(a[j] - b[j]), std::int64_t{1} << 30);
    sum += static_cast<std::uint64_t>((a[j] - b[j]) * (a[j] - b[j]));
  }
  return sum;
}

TEST(CentralSums, no_row_moves_the_sum_by_more_than_its_clip) {
  Coins coins(1000);
  double longest = 0;
  for (const Loss loss : {Loss::logistic, Loss::squared, Loss::huber}) {
    for (const bool is_sparse : {false, true}) {
      const Problem p = nasty_problem(loss, is_sparse, 1001);
      const Sample all = all_rows(p);
      for (const double size : {0.0, 1e-3, 1.0, 1e9, 1e300}) {
        const Weights w = random_weights(coins, size), from = random_weights(coins, size);
        for (const double z : {0.4, 1.0, 6.3, 900.0}) {
          const NoiseGrid grid = noise_grid(z, p.clip(), Adjacency::add_remove);
          for (const Weights* start : {static_cast<const Weights*>(nullptr), &from}) {
            std::vector<std::int64_t> with(k_columns);
            add_clipped_gradients(p, all.rows, w, start, p.clip(), grid, with);
            for (std::uint32_t row = 0; row < p.x.size(); ++row) {
              std::vector<std::uint32_t> others = all.rows;
              others.erase(others.begin() + row);
              std::vector<std::int64_t> without(k_columns);
              add_clipped_gradients(p, others, w, start, p.clip(), grid, without);
              const std::uint64_t moved = squared_norm(with, without);
              const auto most = static_cast<std::uint64_t>(grid.longest_row * grid.longest_row);
              ASSERT_LE(moved, most) << "row " << row;
              longest = std::max(longest, std::sqrt(static_cast<double>(moved) / static_cast<double>(most)));
            }
          }
        }
      }
    }
  }
  EXPECT_GT(longest, 0.9999);  // the bound is met: noise is not for more than rows can do
}

TEST(CentralSums, no_row_moves_a_coordinate_by_more_than_its_reach) {
  Coins coins(1002);
  std::int64_t longest = 0;
  for (const Loss loss : {Loss::logistic, Loss::squared, Loss::huber}) {
    const Problem p = nasty_problem(loss, loss == Loss::huber, 1003);
    const Weights w = random_weights(coins, 1);
    for (std::uint32_t row = 0; row < p.x.size(); ++row) {
      std::vector<std::int64_t> sum(k_columns);
      add_clipped_coordinates(p, std::vector<std::uint32_t>{row}, w, p.residual_scale(), p.bounds.value, sum);
      for (const std::int64_t v : sum) longest = std::max(longest, std::abs(v));
    }
  }
  EXPECT_LE(longest, k_coordinate_reach);
  EXPECT_GT(longest, k_coordinate_reach - 1000);
}

TEST(CentralSums, a_row_is_clipped_however_small_or_large_the_clip_is) {
  for (const double clip : {5e-324, 1e-320, 1e-300, 1e-60, 1e60, 1e300, 1.7e308}) {
    for (const Loss loss : {Loss::logistic, Loss::squared}) {
      const Problem p = nasty_problem(loss, false, 1005);
      const NoiseGrid grid = noise_grid(1, clip, Adjacency::add_remove);
      for (const double size : {0.0, 1.0, 1e280}) {
        Weights w(k_columns);
        std::fill(w.at.begin(), w.at.end(), size);
        for (std::uint32_t j = 0; j < k_columns; ++j) w.support.push_back(j);
        for (std::uint32_t row = 0; row < p.x.size(); ++row) {
          std::vector<std::int64_t> sum(k_columns), nothing(k_columns), each(k_columns);
          add_clipped_gradients(p, std::vector{row}, w, nullptr, clip, grid, sum);
          ASSERT_LE(squared_norm(sum, nothing), static_cast<std::uint64_t>(grid.longest_row * grid.longest_row))
              << "clip " << clip << ", row " << row;
          add_clipped_coordinates(p, std::vector{row}, w, clip, 0.7, each);
          for (const std::int64_t v : each) ASSERT_LE(std::abs(v), k_coordinate_reach) << "clip " << clip;
        }
      }
    }
  }
}

TEST(CentralSums, a_bound_of_values_is_not_rounded_up) {
  Problem p;
  p.loss = Loss::squared;
  p.x = Rows::dense({1.0f}, 1);
  p.y = {-1e9f};
  p.norms = p.x.norms();
  // The nearest float is above 0.1 and below 0.7.
  for (const double most : {0.1, 0.7}) {
    std::vector<std::int64_t> sum(1);
    add_clipped_coordinates(p, std::vector<std::uint32_t>{0}, Weights(1), 1, most, sum);
    EXPECT_LE(sum[0], k_coordinate_reach - 256) << most;  // what is given away for rounding: 2^-22
    EXPECT_GT(sum[0], k_coordinate_reach - 512) << most;
  }
}

TEST(CentralSums, the_grid_never_delivers_less_noise_than_was_asked_for) {
  for (double z = 0.03; z < 9e4; z *= 1.37) {
    for (const Adjacency adjacency : {Adjacency::add_remove, Adjacency::replace_one}) {
      const NoiseGrid grid = noise_grid(z, 3, adjacency);
      EXPECT_GE(grid.z, z);
      EXPECT_LT(grid.z, z * (1 + 1e-7));
      EXPECT_LE(grid.longest_row, std::int64_t{1} << 30);
      EXPECT_DOUBLE_EQ(std::ldexp(1.0, static_cast<int>(grid.log2_sigma)) * grid.step, grid.z * reach(adjacency) * 3);
    }
  }
}

TEST(CentralSums, a_minimiser_moves_no_further_than_its_ridge_allows) {
  for (const Loss loss : {Loss::logistic, Loss::huber}) {
    Problem p = nasty_problem(loss, false, 1004);
    const double n = static_cast<double>(p.x.size());
    const Eigen::VectorXd no_tilt = Eigen::VectorXd::Zero(k_columns);
    for (const double ridge : {0.05, 1.0}) {
      const auto all = minimise(p, n, ridge, no_tilt);
      ASSERT_TRUE(all.ok()) << all.error().message();
      const double most = p.gradient_bound() * (1 / n + 2 * k_gradient_left) / ridge;
      double longest = 0;
      for (std::uint32_t row = 0; row < p.x.size(); ++row) {
        Sample others = all_rows(p);
        others.rows.erase(others.rows.begin() + row);
        std::vector<std::uint32_t> columns;
        for (std::uint32_t j = 0; j < k_columns; ++j) columns.push_back(j);
        const Problem less = restrict_to(others, columns);
        const auto moved = minimise(less, n, ridge, no_tilt);
        ASSERT_TRUE(moved.ok()) << moved.error().message();
        longest = std::max(longest, (all.value() - moved.value()).norm());
      }
      EXPECT_LE(longest, most);
      EXPECT_GT(longest, most / 20);
    }
  }
}

TEST(CentralSums, the_printed_sensitivity_of_knowledge_transfer_is_false) {
  // 501 rows (e1, 1) and 500 rows (e2, 1); one sparse coefficient, ridge 1. Changing one row of the first kind into one of the second
  // moves the minimiser from one axis to the other; the printed bound is sqrt(2 s) gamma / (n lambda).
  const double n = 1001, ridge = 1;
  const auto on_axis = [&](double rows) { return rows / n / (rows / n + ridge); };     // of (w - 1)^2 / 2 on these rows
  const auto value = [&](double rows) { return rows / n / 2 * (1 - on_axis(rows)); };  // what the axis saves
  EXPECT_GT(value(501), value(500));
  const double moved = std::hypot(on_axis(501), on_axis(501)), claimed = std::sqrt(2.0) * 1 / (n * ridge);
  EXPECT_GT(moved, 300 * claimed);
}

}  // namespace
}  // namespace sotto::analyzer::central
