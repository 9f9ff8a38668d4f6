// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/simulate/level_metrics.hpp"

#include <algorithm>
#include <cstddef>

namespace sotto::analyzer {
namespace {

double mean_of(const DeviceRows& rows, std::uint32_t features, std::uint32_t column) {
  double sum = 0;
  for (std::uint32_t i = 0; i < rows.rows; ++i) sum += rows.numbers[std::size_t{i} * (features + 1) + column];
  return sum / rows.rows;
}

/// Sum and sum of squares, as a variance.
struct Spread {
  double sum = 0, square = 0, count = 0;

  void add(double x) {
    sum += x;
    square += x * x;
    ++count;
  }
  [[nodiscard]] double variance() const { return count > 0 ? square / count - (sum / count) * (sum / count) : 0; }
};

}  // namespace

double level_r2(const FleetData& data, std::uint64_t first, std::uint64_t count, const Between& model) {
  Spread all, left;
  DeviceRows rows;
  for (std::uint64_t device = first; device < first + count; ++device) {
    data.read(device, rows);
    if (rows.rows == 0) continue;
    const double level = mean_of(rows, data.features(), data.features());
    double fit = 0;
    for (const Coefficient& c : model.coefficients) fit += c.estimate * mean_of(rows, data.features(), c.feature);
    all.add(level);
    left.add(level - fit);
  }
  return all.variance() > 0 ? 1 - left.variance() / all.variance() : 0;
}

LevelMetrics against_level_truth(const Between& model, std::span<const double> truth, std::uint32_t features) {
  LevelMetrics out;
  out.verdict = model.verdict;
  const auto first = features - static_cast<std::uint32_t>(truth.size());
  double right = 0;
  for (const Coefficient& c : model.coefficients) {
    const double b = c.feature < first ? 0 : truth[c.feature - first];
    right += c.found && b != 0;
    out.false_found = out.false_found.value_or(0) + (c.found && b == 0);
    ++out.found;
    out.covered += c.low <= b && b <= c.high;
  }
  out.false_found = out.false_found.value_or(0);
  const auto matter = static_cast<double>(std::ranges::count_if(truth, [](double b) { return b != 0; }));
  if (matter > 0) out.found_share = right / matter;
  return out;
}

}  // namespace sotto::analyzer
