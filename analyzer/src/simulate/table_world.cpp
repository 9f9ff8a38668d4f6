// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/simulate/table_world.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sotto::analyzer {

TableWorld::TableWorld(const Table& table, std::span<const std::uint32_t> users, Transform transform, TargetKind kind)
    : features_(static_cast<std::uint32_t>(table.features.size())), first_{0} {
  constexpr double k_largest = 32767;
  const std::size_t width = std::size_t{features_} + 1;
  for (const std::uint32_t user : users)
    first_.push_back(first_.back() + table.first_row[user + 1] - table.first_row[user]);
  numbers_.resize(first_.back() * width);
  Q15* to = numbers_.data();
  for (const std::uint32_t user : users) {
    const std::size_t first = table.first_row[user], rows = table.first_row[user + 1] - first;
    for (std::size_t j = 0; j < width; ++j) {
      const auto value = [&](std::size_t i) {
        return j < features_ ? transformed(table.row(first + i)[j], transform) : table.y[first + i];
      };
      double low = std::numeric_limits<double>::infinity(), high = -low;
      for (std::size_t i = 0; i < rows; ++i) {
        low = std::min(low, value(i));
        high = std::max(high, value(i));
      }
      for (std::size_t i = 0; i < rows; ++i) {
        // A class that never changes on a device is still one of the two.
        const bool is_class = j == features_ && kind == TargetKind::two_classes;
        if (std::isnan(value(i))) {
          to[i * width + j] = k_missing_reading;
          continue;
        }
        const double place = is_class     ? (value(i) > 0 ? 1 : -1)
                             : high > low ? (2 * value(i) - low - high) / (high - low)
                                          : 0;
        to[i * width + j] = static_cast<Q15>(std::lround(place * k_largest));
      }
    }
    to += rows * width;
  }
}

TableWorld::TableWorld(const Table& table, std::span<const std::uint32_t> users, const Scaling& scaling,
                       std::uint32_t unit_q15)
    : features_(static_cast<std::uint32_t>(table.features.size())), first_{0} {
  for (const std::uint32_t user : users) {
    first_.push_back(first_.back() + table.first_row[user + 1] - table.first_row[user]);
  }
  numbers_.reserve(first_.back() * (features_ + 1));
  for (const std::uint32_t user : users) {
    for (std::size_t r = table.first_row[user]; r < table.first_row[user + 1]; ++r) {
      const auto row = table.row(r);
      for (std::size_t j = 0; j < row.size(); ++j) {
        numbers_.push_back(standard_q15(transformed(row[j], scaling.transform), scaling.features[j], unit_q15));
      }
      numbers_.push_back(standard_q15(table.y[r], scaling.target, unit_q15));
    }
  }
}

void TableWorld::read(std::uint64_t device, DeviceRows& out) const {
  const std::uint64_t width = std::uint64_t{features_} + 1;
  const Q15* const numbers = numbers_.data();
  out.rows = static_cast<std::uint32_t>(first_[device + 1] - first_[device]);
  out.numbers.assign(numbers + first_[device] * width, numbers + first_[device + 1] * width);
}

}  // namespace sotto::analyzer
