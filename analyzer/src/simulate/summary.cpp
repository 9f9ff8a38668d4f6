// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/simulate/summary.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sotto::analyzer {

Summary summarize(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  Summary s;
  for (const double v : values) s.mean += v;
  s.mean /= n;
  double squares = 0;
  for (const double v : values) squares += (v - s.mean) * (v - s.mean);
  if (values.size() > 1) s.sd = std::sqrt(squares / (n - 1));
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t middle = sorted.size() / 2;
  s.median = sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  return s;
}

}  // namespace sotto::analyzer
