// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/simulate/table_world.hpp"

namespace sotto::analyzer {

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
