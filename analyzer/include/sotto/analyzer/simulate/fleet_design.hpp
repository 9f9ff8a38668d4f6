// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The public features of a simulated fleet, for protocols in which devices report only their label.

#include <vector>

#include "sotto/analyzer/data/public_design.hpp"
#include "sotto/analyzer/simulate/session_fleet.hpp"

namespace sotto::analyzer {

/// The features that the analyzer of a label study would hold: of each device the record that round 1 asks about. Rows
/// are generated each time they are read.
class FleetDesign final : public PublicDesign {
 public:
  /// `data` and `fleet` must outlive this.
  FleetDesign(const FleetData& data, const SessionFleet& fleet);

  [[nodiscard]] std::uint64_t rows() const noexcept override { return order_.size(); }
  [[nodiscard]] std::uint32_t features() const noexcept override { return data_.features(); }
  [[nodiscard]] std::uint64_t pseudonym(std::uint64_t row) const override { return order_[row].pseudonym; }
  /// Returns false if the device does not hold that record.
  bool read(std::uint64_t row, std::span<Q15> out) const override;

 private:
  struct Named {
    std::uint64_t pseudonym, device;
  };
  const FleetData& data_;
  const SessionFleet& fleet_;
  std::vector<Named> order_;
};

}  // namespace sotto::analyzer
