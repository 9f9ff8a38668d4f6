// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/analyzer/data/standardise.hpp"
#include "sotto/analyzer/data/table.hpp"
#include "sotto/analyzer/simulate/fleet_data.hpp"

namespace sotto::analyzer {

/// A fleet that holds the rows of a table: device i is the i-th of the given users. The rows are turned into Q15 once, so the
/// table may go.
class TableWorld final : public FleetData {
 public:
  /// `unit_q15` stands for one deviation: 32767 / unit_q15 deviations are kept on either side.
  TableWorld(const Table& table, std::span<const std::uint32_t> users, const Scaling& scaling, std::uint32_t unit_q15);

  [[nodiscard]] std::uint64_t devices() const noexcept override { return first_.size() - 1; }
  [[nodiscard]] std::uint32_t features() const noexcept override { return features_; }
  void read(std::uint64_t device, DeviceRows& out) const override;

 private:
  std::uint32_t features_;
  std::vector<std::uint64_t> first_;  ///< rows of device i: first_[i] .. first_[i + 1]
  std::vector<Q15> numbers_;
};

}  // namespace sotto::analyzer
