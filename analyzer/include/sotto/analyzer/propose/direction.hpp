// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// @file
/// Chooses the channel for a direction by its error and by the work that it costs a device.

#include <variant>

#include "sotto/analyzer/math/direction_error.hpp"
#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer {

using DirectionSpec = std::variant<HemisphereSpec, CrossPolytopeSpec, SphereCodeSpec>;

/// What a report costs the device. Instructions are counted for a Cortex-M4 from the operations of each randomizer (ChaCha
/// block 685, butterfly 12, selection pass 10 a number): an order of magnitude, not a measurement.
struct DeviceWork {
  std::uint64_t instructions = 0;
  std::uint32_t work_bytes = 0;
};
[[nodiscard]] DeviceWork device_work(const HemisphereSpec& spec) noexcept;
[[nodiscard]] DeviceWork device_work(const CrossPolytopeSpec& spec) noexcept;
[[nodiscard]] DeviceWork device_work(const SphereCodeSpec& spec) noexcept;

struct DirectionProposal {
  DirectionSpec spec;
  DirectionError error;
  double over_priv_unit = 0;  ///< error / PrivUnit's error, the best possible at this dimension and epsilon
  DeviceWork work;
  std::uint32_t payload_bits = 0;
};

/// Which channel reports a direction best within the device's means: hemisphere, cross_polytope of D = 64 .. 4096, or
/// sphere_code of 256 .. 4096 codewords. Of those within 1 per cent of the least error, the one that works the device least.
/// Refuses  spec.bad_epsilon; spec.bad_dimension: not 2 .. 4096; direction.too_little_work: nothing fits `most`.
Result<DirectionProposal> propose_direction(EpsilonNano epsilon, std::uint32_t dimension, const DeviceWork& most);

}  // namespace sotto::analyzer
