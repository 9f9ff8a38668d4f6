// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sotto/analyzer/data/standardise.hpp"

// What is added up over rows to learn where columns lie: whole numbers, of which one row adds a vector of bounded length, whatever it
// holds.
namespace sotto::analyzer::central {

// Places that do not depend on the data: 32 in every power of two, for either sign, from the most negative to the largest, and zero in
// the middle. What is below 2^-20 counts as zero, what is beyond 2^40 as the last place.
inline constexpr int k_least_exponent = -20, k_most_exponent = 40;
inline constexpr std::uint32_t k_octave = 32;
inline constexpr std::uint32_t k_zero_place = static_cast<std::uint32_t>(k_most_exponent - k_least_exponent) * k_octave;
inline constexpr std::uint32_t k_places = 2 * k_zero_place + 1;
[[nodiscard]] std::uint16_t place_of(double value);
static_assert(k_places <= 0xffff);

/// From `low` to `high`.
struct ColumnRange {
  double low = 0, high = 0;

  [[nodiscard]] double middle() const { return low / 2 + high / 2; }
  [[nodiscard]] double half() const { return high / 2 - low / 2; }
};
/// All values with places from `first` to `last`.
[[nodiscard]] ColumnRange range_of_places(std::uint32_t first, std::uint32_t last);

/// Row after row of finite numbers.
class ColumnTable {
 public:
  ColumnTable(std::span<const float> values, std::size_t columns, Transform transform);

  [[nodiscard]] std::size_t rows() const { return values_.size() / columns_; }
  [[nodiscard]] std::size_t columns() const { return columns_; }

  // Each adds `unit` times what it counts. What one row adds is no longer than the function squared_... below says.

  /// For the i-th threshold of column j, at [per_column * j + i]: 1 for a value whose place is below, -1 for another.
  void add_below(std::span<const std::uint32_t> thresholds, std::int64_t unit, std::span<std::int64_t> sum) const;
  /// How many values of the pool's columns lie in each octave.
  void add_octaves(std::span<const std::uint32_t> pool, std::int64_t unit, std::span<std::int64_t> sum) const;
  /// With u the place of a value of column j in its range, from -1 to 1: u at [2 j] and u^2 - 1/2 at [2 j + 1], toward zero.
  void add_powers(std::span<const ColumnRange> ranges, std::int64_t unit, std::span<std::int64_t> sum) const;

 private:
  std::span<const float> values_;
  std::size_t columns_;
  Transform transform_;
  std::vector<std::uint16_t> places_;
};

/// Powers of two of either sign, and zero: from the most negative on.
inline constexpr std::size_t k_octaves = 2 * (k_zero_place / k_octave) + 1, k_zero_octave = k_octaves / 2;
[[nodiscard]] std::size_t octave_of(std::uint32_t place);
[[nodiscard]] ColumnRange range_of_octaves(std::size_t first, std::size_t last);

// How long the vector is that one row adds, in units, squared.
constexpr double squared_below(std::size_t thresholds) { return static_cast<double>(thresholds); }
constexpr double squared_octaves(std::size_t pool) { return static_cast<double>(pool) * static_cast<double>(pool); }
constexpr double squared_powers(std::size_t columns) { return 1.25 * static_cast<double>(columns); }

/// The largest unit with which a vector of this length (in units, squared) stays within `longest_row` steps.
[[nodiscard]] std::int64_t unit_within(std::int64_t longest_row, double squared_length);

}  // namespace sotto::analyzer::central
