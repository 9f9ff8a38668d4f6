// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "moment_sums.hpp"

#include <algorithm>
#include <cmath>

namespace sotto::analyzer::central {
namespace {

/// The end nearer to zero of the interval that is `away` >= 1 places from zero.
double near_end(std::uint32_t away) {
  const std::uint32_t at = away - 1;
  return std::ldexp(1 + static_cast<double>(at % k_octave) / k_octave,
                    k_exponent_min + static_cast<int>(at / k_octave));
}

/// The position of a value in a range, clipped to [-1, 1]; 0 in a range without width.
double share_of(double value, const ColumnRange& range) {
  const double half = range.half();
  if (!(half > 0)) return 0;
  return std::clamp((value - range.middle()) / half, -1.0, 1.0);
}

}  // namespace

std::uint16_t place_of(double value) {
  const double size = std::abs(value);
  if (!(size >= std::ldexp(1.0, k_exponent_min))) return k_zero_place;
  std::uint32_t away = k_zero_place;
  if (const int exponent = std::ilogb(size); exponent < k_exponent_max) {
    const double beyond = std::ldexp(size, -exponent) - 1;  // in [0, 1), exact
    away = 1 + static_cast<std::uint32_t>(exponent - k_exponent_min) * k_octave +
           static_cast<std::uint32_t>(beyond * k_octave);
  }
  return static_cast<std::uint16_t>(value < 0 ? k_zero_place - away : k_zero_place + away);
}

ColumnRange range_of_places(std::uint32_t first, std::uint32_t last) {
  const auto low = [](std::uint32_t place) {
    if (place == k_zero_place) return 0.0;
    return place > k_zero_place ? near_end(place - k_zero_place) : -near_end(k_zero_place - place + 1);
  };
  return {low(first), -low(k_places - 1 - last)};
}

std::size_t octave_of(std::uint32_t place) {
  if (place == k_zero_place) return k_zero_octave;
  return place < k_zero_place ? place / k_octave : k_zero_octave + 1 + (place - k_zero_place - 1) / k_octave;
}

ColumnRange range_of_octaves(std::size_t first, std::size_t last) {
  const auto low = [](std::size_t octave) {
    const auto at = static_cast<std::uint32_t>(octave);
    return octave <= k_zero_octave ? at * k_octave : k_zero_place + 1 + (at - k_zero_octave - 1) * k_octave;
  };
  return range_of_places(static_cast<std::uint32_t>(low(first)),
                         k_places - 1 - static_cast<std::uint32_t>(low(k_octaves - 1 - last)));
}

std::int64_t unit_within(std::int64_t longest_row, double squared_length) {
  // Reduced by one, which exceeds the rounding error of this line, as grids are below 2^31.
  const double most = std::floor(static_cast<double>(longest_row) / std::sqrt(squared_length)) - 1;
  return std::max<std::int64_t>(0, static_cast<std::int64_t>(most));
}

ColumnTable::ColumnTable(std::span<const float> values, std::size_t columns, Transform transform)
    : values_(values), columns_(columns), transform_(transform) {
  places_.reserve(values.size());
  for (const float v : values) places_.push_back(std::isnan(v) ? k_missing_place : place_of(transformed(v, transform)));
}

void ColumnTable::add_below(std::span<const std::uint32_t> thresholds, std::int64_t unit,
                            std::span<std::int64_t> sum) const {
  const std::size_t each = thresholds.size() / columns_;
  for (std::size_t row = 0; row < rows(); ++row) {
    const std::uint16_t* const at = places_.data() + row * columns_;
    for (std::size_t i = 0; i < thresholds.size(); ++i) {
      const std::uint16_t place = at[i / each];
      const bool is_below = place == k_missing_place ? i % each % 2 == 1 : place < thresholds[i];
      sum[i] += is_below ? unit : -unit;
    }
  }
}

void ColumnTable::add_octaves(std::span<const std::uint32_t> pool, std::int64_t unit,
                              std::span<std::int64_t> sum) const {
  for (std::size_t row = 0; row < rows(); ++row) {
    for (const std::uint32_t j : pool) {
      const std::uint16_t place = places_[row * columns_ + j];
      if (place != k_missing_place) sum[octave_of(place)] += unit;
    }
  }
}

void ColumnTable::add_powers(std::span<const ColumnRange> ranges, std::int64_t unit,
                             std::span<std::int64_t> sum) const {
  const auto scale = static_cast<double>(unit);
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const std::size_t j = i % columns_;
    const double u = std::isnan(values_[i]) ? 0 : share_of(transformed(values_[i], transform_), ranges[j]);
    sum[2 * j] += static_cast<std::int64_t>(u * scale);
    sum[2 * j + 1] += static_cast<std::int64_t>((u * u - 0.5) * scale);
  }
}

}  // namespace sotto::analyzer::central
