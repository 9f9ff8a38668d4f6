// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <cmath>
#include <numeric>

#include "sotto/analyzer/central/prepare.hpp"
#include "sotto/analyzer/math/xoshiro.hpp"

// Synthetic regression rows for benchmarks.
namespace sotto::analyzer::central {
namespace {

constexpr std::uint64_t k_stream = 0x63656e7472616c;  // "central"

double normal(Xoshiro& random) {
  const double radius = std::sqrt(-2 * std::log(1 - random.unit()));
  return radius * std::cos(2 * 3.14159265358979323846 * random.unit());
}

}  // namespace

SyntheticData synthetic_rows(std::size_t rows, std::size_t columns, std::size_t nonzeros, double variance,
                             std::uint64_t seed) {
  Xoshiro random(seed, k_stream);
  SyntheticData data;
  data.truth.assign(columns, 0);
  std::vector<std::uint32_t> order(columns);
  std::iota(order.begin(), order.end(), 0u);
  for (std::size_t i = 0; i < nonzeros; ++i) {
    std::swap(order[i], order[i + random.below(static_cast<std::uint32_t>(columns - i))]);
    data.truth[order[i]] = normal(random);
  }
  std::vector<float> x(rows * columns);
  for (float& v : x) v = static_cast<float>(2 * random.unit() - 1);
  Problem& p = data.problem;
  p.x = Rows::dense(std::move(x), columns);
  p.norms = p.x.norms();
  p.loss = Loss::squared;
  for (std::size_t row = 0; row < rows; ++row) {
    double y = std::sqrt(variance) * normal(random);
    p.x.visit(row, [&](std::uint32_t j, float v) { y += data.truth[j] * v; });
    p.y.push_back(static_cast<float>(y));
  }
  p.bounds = {.row = std::sqrt(static_cast<double>(columns) / 3),
              .value = 1,
              .target = std::sqrt(static_cast<double>(nonzeros) / 3),
              .is_independent = true};
  return data;
}

double relative_error(const Weights& w, const std::vector<double>& truth) {
  double wrong = 0, size = 0;
  for (std::size_t j = 0; j < truth.size(); ++j) {
    wrong += (w.at[j] - truth[j]) * (w.at[j] - truth[j]);
    size += truth[j] * truth[j];
  }
  return std::sqrt(wrong / size);
}

}  // namespace sotto::analyzer::central
