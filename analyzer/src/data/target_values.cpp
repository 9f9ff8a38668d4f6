// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/data/target_values.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace sotto::analyzer {
namespace {

Result<Done> make_classes(const std::string& name, Table& table) {
  const auto [low, high] = std::ranges::minmax(table.y);
  for (float& y : table.y) {
    if (y != low && y != high)
      return Error{"data.bad_class", fmt::format("the target {} is not a class: it has more than two values", name),
                   fmt::format("{:g}, {:g} and {:g}", low, y, high),
                   "use it as a number, or add a column that is 1 where it is above a threshold, else 0"};
    y = y == high && high > low ? 1 : 0;
  }
  return Done{};
}

Result<Done> make_counts(const std::string& name, Table& table) {
  for (float& y : table.y) {
    if (!(y >= 0) || y != std::floor(y))
      return Error{"data.bad_count",
                   fmt::format("the target {} is not a count: one of its values is {}", name,
                               y < 0 ? "negative" : "not a whole number"),
                   fmt::format("{:g}", y), "use it as a number, or correct the value"};
    y = static_cast<float>(log_count(y));
  }
  return Done{};
}

}  // namespace

bool targets_are_classes(const Table& table) {
  const auto all = [&table](float low) {
    return std::ranges::all_of(table.y, [low](float y) { return y == low || y == 1; });
  };
  return !table.y.empty() && (all(0) || all(-1));
}

double make_classes_by_mean(Table& table) {
  const double mean = std::accumulate(table.y.begin(), table.y.end(), 0.0) /
                      static_cast<double>(std::max<std::size_t>(1, table.rows()));
  for (float& y : table.y) y = y > mean ? 1 : 0;
  return mean;
}

Result<Done> read_targets_as(TargetKind kind, const std::string& name, Table& table) {
  if (kind == TargetKind::two_classes) return make_classes(name, table);
  if (kind == TargetKind::count) return make_counts(name, table);
  return Done{};
}

}  // namespace sotto::analyzer
