// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The interface of a simulated fleet's data: the rows that each device holds, synthetic or from a table.

#include <cstdint>
#include <vector>

#include "sotto/fixed.hpp"

namespace sotto::analyzer {

/// The rows of one simulated device: row-major Q15, `features` numbers followed by the target, as sotto::Samples maps
/// them.
struct DeviceRows {
  std::uint32_t rows = 0;
  std::vector<Q15> numbers{};               ///< rows * (features + 1)
  std::uint32_t given = ~std::uint32_t{0};  ///< the firmware's own answer, where a round asks for it
  std::vector<std::int32_t> readings{};     ///< integers of the firmware's own, for the question `number`
  std::vector<std::uint8_t> item{};         ///< for the question `top`
};

/// The data of a simulated fleet. A device's rows are the same each time they are read, from any thread, so nothing has
/// to be stored and memory does not grow with the fleet.
class FleetData {
 public:
  FleetData() = default;
  FleetData(const FleetData&) = delete;
  FleetData& operator=(const FleetData&) = delete;
  virtual ~FleetData() = default;

  [[nodiscard]] virtual std::uint64_t devices() const noexcept = 0;
  [[nodiscard]] virtual std::uint32_t features() const noexcept = 0;
  /// Replaces the contents of `out` and reuses its memory.
  virtual void read(std::uint64_t device, DeviceRows& out) const = 0;
};

}  // namespace sotto::analyzer
