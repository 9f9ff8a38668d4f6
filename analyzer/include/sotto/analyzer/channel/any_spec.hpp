// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Any of the randomizers that a study can use, as one type, and what follows from its parameters: delivered epsilon
/// and delta, channel, size of a report.

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "sotto/sha256.hpp"
#include "sotto/spec/block.hpp"
#include "sotto/spec/cross_polytope.hpp"
#include "sotto/spec/gaussian.hpp"
#include "sotto/spec/grr.hpp"
#include "sotto/spec/hadamard_response.hpp"
#include "sotto/spec/hemisphere.hpp"
#include "sotto/spec/laplace.hpp"
#include "sotto/spec/sphere_code.hpp"
#include "sotto/spec/vote.hpp"
#include "sotto/spec/walsh_hash.hpp"
#include "sotto/spec/window.hpp"

namespace sotto::analyzer {

/// The parameters of one randomizer.
using AnySpec = std::variant<VoteSpec, HadamardResponseSpec, BlockSpec, WindowSpec, LaplaceSpec, HemisphereSpec,
                             CrossPolytopeSpec, SphereCodeSpec, GrrSpec, WalshHashSpec, GaussianSpec>;

/// What follows from a spec's integers alone, so that a reader can check it.
struct ChannelFacts {
  std::string_view stem;            ///< the randomizer that runs: for a vote grr or walsh_hash
  std::optional<TwoLevel> channel;  ///< none for additive noise: laplace, gaussian
  EpsilonNano declared = 0;
  /// Rounded up. For laplace and for gaussian in one dimension it is the declared one, which their proofs guarantee.
  EpsilonNano delivered = 0;
  DeltaUnits delta = 0;                  ///< 0 for all but gaussian
  std::uint32_t payload_bits = 0;        ///< gaussian: 24 for each number
  std::optional<GaussianSpec> gaussian;  ///< the spec, whose integers determine the delivered epsilon; gaussian only
  Digest digest{};
};

[[nodiscard]] ChannelFacts facts_of(const AnySpec& spec);

/// Derives the parameters that follow from epsilon (threshold, oracle, bits), then checks the spec as a device with
/// this cap does.
/// Refuses  what derive() and certify() refuse, with their status.
Status compile_spec(AnySpec& spec, EpsilonNano cap);

}  // namespace sotto::analyzer
