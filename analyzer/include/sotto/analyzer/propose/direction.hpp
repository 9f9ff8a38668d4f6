// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Chooses the randomizer for a direction (unit vector): the one with the least error that a device can afford.
/// Protocols plan their direction rounds by it.

#include <variant>

#include "sotto/analyzer/math/direction_error.hpp"
#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer {

using DirectionSpec = std::variant<HemisphereSpec, CrossPolytopeSpec, SphereCodeSpec>;

/// The cost of a report on the device. Instructions are estimated for a Cortex-M4 from the operations of each
/// randomizer (ChaCha block 685, butterfly 12, selection pass 10 for each number): an order of magnitude, not a
/// measurement.
struct DeviceWork {
  std::uint64_t instructions = 0;
  std::uint32_t work_bytes = 0;  ///< working memory
};
[[nodiscard]] DeviceWork device_work(const HemisphereSpec& spec) noexcept;
[[nodiscard]] DeviceWork device_work(const CrossPolytopeSpec& spec) noexcept;
[[nodiscard]] DeviceWork device_work(const SphereCodeSpec& spec) noexcept;

/// The proposed spec, its error and its cost.
struct DirectionProposal {
  DirectionSpec spec;
  DirectionError error;
  double over_priv_unit = 0;  ///< error relative to PrivUnit's, the smallest possible one
  DeviceWork work;
  std::uint32_t payload_bits = 0;
};

/// The best randomizer for a direction within the device's limits: hemisphere, cross_polytope with D = 64 .. 4096, or
/// sphere_code with 256 .. 4096 codewords. Among those within 1 per cent of the least error, the one with the fewest
/// instructions is chosen.
/// Refuses  spec.bad_epsilon; spec.bad_dimension: not 2 .. 4096; direction.too_little_work: no candidate fits `most`.
Result<DirectionProposal> propose_direction(EpsilonNano epsilon, std::uint32_t dimension, const DeviceWork& most);

}  // namespace sotto::analyzer
