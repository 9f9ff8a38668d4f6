// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sotto/analyzer/data/standardise.hpp"

// Integer sums over rows from which the location and spread of columns are estimated. One row adds a vector of bounded
// norm, whatever it holds.
namespace sotto::analyzer::central {

// Places are the intervals of a fixed partition of the real line, independent of the data: 32 in every power of two of
// either sign, and zero in the middle. Values below 2^-20 in size count as zero, values beyond 2^40 belong to the last
// place.
inline constexpr int k_exponent_min = -20, k_exponent_max = 40;
inline constexpr std::uint32_t k_octave = 32;
inline constexpr std::uint32_t k_zero_place = static_cast<std::uint32_t>(k_exponent_max - k_exponent_min) * k_octave;
inline constexpr std::uint32_t k_places = 2 * k_zero_place + 1;
[[nodiscard]] std::uint16_t place_of(double value);
/// The place of a missing value (NaN), which lies in no interval.
inline constexpr std::uint16_t k_missing_place = 0xffff;
static_assert(k_places < k_missing_place);

/// The interval from `low` to `high`.
struct ColumnRange {
  double low = 0, high = 0;

  [[nodiscard]] double middle() const { return low / 2 + high / 2; }
  [[nodiscard]] double half() const { return high / 2 - low / 2; }
};
/// The interval of all values in places `first` to `last`.
[[nodiscard]] ColumnRange range_of_places(std::uint32_t first, std::uint32_t last);

/// A table of numbers, row after row; NaN is a missing value. A row adds no more than the bounds below, whether or not
/// values are missing.
class ColumnTable {
 public:
  ColumnTable(std::span<const float> values, std::size_t columns, Transform transform);

  [[nodiscard]] std::size_t rows() const { return values_.size() / columns_; }
  [[nodiscard]] std::size_t columns() const { return columns_; }

  // Each of these adds `unit` times what it counts. The squared norm of what one row adds is bounded by the function
  // squared_... below.

  /// For the i-th threshold of column j, at [per_column * j + i]: adds 1 for a value whose place is below it, -1
  /// otherwise. Thresholds are a low and a high one in turn: a missing value is not below the former and is below the
  /// latter, so that neither quantile moves outward.
  void add_below(std::span<const std::uint32_t> thresholds, std::int64_t unit, std::span<std::int64_t> sum) const;
  /// Counts the values of the pool's columns in each octave (power of two); missing ones are not counted.
  void add_octaves(std::span<const std::uint32_t> pool, std::int64_t unit, std::span<std::int64_t> sum) const;
  /// With u the position of a value of column j in its range, from -1 to 1: adds u at [2 j] and u^2 - 1/2 at [2 j + 1],
  /// rounded toward zero. A missing value counts as the middle of the range, u = 0.
  void add_powers(std::span<const ColumnRange> ranges, std::int64_t unit, std::span<std::int64_t> sum) const;

 private:
  std::span<const float> values_;
  std::size_t columns_;
  Transform transform_;
  std::vector<std::uint16_t> places_;
};

/// The octaves: powers of two of either sign, and zero, from the most negative on.
inline constexpr std::size_t k_octaves = 2 * (k_zero_place / k_octave) + 1, k_zero_octave = k_octaves / 2;
[[nodiscard]] std::size_t octave_of(std::uint32_t place);
[[nodiscard]] ColumnRange range_of_octaves(std::size_t first, std::size_t last);

// The squared Euclidean norm of what one row adds, in units.
constexpr double squared_below(std::size_t thresholds) { return static_cast<double>(thresholds); }
constexpr double squared_octaves(std::size_t pool) { return static_cast<double>(pool) * static_cast<double>(pool); }
constexpr double squared_powers(std::size_t columns) { return 1.25 * static_cast<double>(columns); }

/// The largest unit with which a vector of this squared norm (in units) stays within `longest_row` steps.
[[nodiscard]] std::int64_t unit_within(std::int64_t longest_row, double squared_length);

}  // namespace sotto::analyzer::central
