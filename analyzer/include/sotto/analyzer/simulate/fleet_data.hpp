// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <vector>

#include "sotto/fixed.hpp"

namespace sotto::analyzer {

/// What one simulated device holds: row-major Q15, `features` numbers and the target behind them, as sotto::Samples maps it.
struct DeviceRows {
  std::uint32_t rows = 0;
  std::vector<Q15> numbers;  ///< rows * (features + 1)
};

/// What the devices of a simulated fleet hold. The rows of a device are the same whenever they are asked for, from any thread,
/// so that nothing has to be kept: memory does not grow with the fleet.
class FleetData {
 public:
  FleetData() = default;
  FleetData(const FleetData&) = delete;
  FleetData& operator=(const FleetData&) = delete;
  virtual ~FleetData() = default;

  [[nodiscard]] virtual std::uint64_t devices() const noexcept = 0;
  [[nodiscard]] virtual std::uint32_t features() const noexcept = 0;
  /// Replaces what `out` held; its memory is used again.
  virtual void read(std::uint64_t device, DeviceRows& out) const = 0;
};

}  // namespace sotto::analyzer
