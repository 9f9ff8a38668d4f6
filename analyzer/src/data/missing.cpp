// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/data/missing.hpp"

#include <cmath>

#include <fmt/format.h>

namespace sotto::analyzer {

std::vector<std::string> fill_missing(Table& table) {
  const std::size_t d = table.features.size();
  std::vector<double> sum(d);
  std::vector<std::size_t> missing(d);
  for (std::size_t i = 0; i < table.x.size(); ++i) {
    if (std::isnan(table.x[i])) {
      ++missing[i % d];
    } else {
      sum[i % d] += table.x[i];
    }
  }
  std::vector<std::string> notes;
  for (std::size_t j = 0; j < d; ++j) {
    if (missing[j] == 0) continue;
    const std::size_t there = table.rows() - missing[j];
    const double mean = there == 0 ? 0 : sum[j] / static_cast<double>(there);
    for (std::size_t row = 0; row < table.rows(); ++row) {
      float& value = table.x[row * d + j];
      if (std::isnan(value)) value = static_cast<float>(mean);
    }
    notes.push_back(fmt::format("{}: {} of {} values are missing and are replaced by the column's mean, {:.4g}",
                                table.features[j], missing[j], table.rows(), mean));
  }
  return notes;
}

std::vector<std::string> missing_notes(const Table& table) {
  const std::size_t d = table.features.size();
  std::vector<std::size_t> missing(d);
  for (std::size_t i = 0; i < table.x.size(); ++i) missing[i % d] += std::isnan(table.x[i]) ? 1 : 0;
  std::vector<std::string> notes;
  for (std::size_t j = 0; j < d; ++j) {
    const FeatureSource& source = table.sources[j];
    // The levels of a column are missing together.
    if (missing[j] == 0 || (j > 0 && table.sources[j - 1].column == source.column)) continue;
    notes.push_back(
        fmt::format("{}: {} of {} values are missing; each is replaced by the mean of its device, which is 0 "
                    "once the device has centred its rows",
                    source.column, missing[j], table.rows()));
  }
  return notes;
}

}  // namespace sotto::analyzer
