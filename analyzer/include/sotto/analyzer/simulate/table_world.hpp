// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// A simulated fleet whose devices hold the rows of a table's users.

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/analyzer/data/standardise.hpp"
#include "sotto/analyzer/data/table.hpp"
#include "sotto/analyzer/math/target_kind.hpp"
#include "sotto/analyzer/simulate/fleet_data.hpp"

namespace sotto::analyzer {

/// Device i is the i-th of the given users. The rows are converted to Q15 once, so the table may be dropped.
class TableWorld final : public FleetData {
 public:
  /// `unit_q15` is one standard deviation: values are clipped at 32767 / unit_q15 deviations.
  TableWorld(const Table& table, std::span<const std::uint32_t> users, const Scaling& scaling, std::uint32_t unit_q15);
  /// Readings as a device holds them that uses its own units: each of its columns fills the range of 16 bits. No offset
  /// or scale is known to it. Classes are told by the sign of the target.
  TableWorld(const Table& table, std::span<const std::uint32_t> users, Transform transform, TargetKind kind);

  [[nodiscard]] std::uint64_t devices() const noexcept override { return first_.size() - 1; }
  [[nodiscard]] std::uint32_t features() const noexcept override { return features_; }
  void read(std::uint64_t device, DeviceRows& out) const override;

 private:
  std::uint32_t features_;
  std::vector<std::uint64_t> first_;  ///< rows of device i: first_[i] .. first_[i + 1]
  std::vector<Q15> numbers_;
};

}  // namespace sotto::analyzer
