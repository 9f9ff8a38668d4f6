// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

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

/// A randomizer that a study can ask for.
using AnySpec = std::variant<VoteSpec, HadamardResponseSpec, BlockSpec, WindowSpec, LaplaceSpec, HemisphereSpec,
                             CrossPolytopeSpec, SphereCodeSpec, GrrSpec, WalshHashSpec, GaussianSpec>;

/// What a reader can check about a spec: everything here follows from its integers.
struct ChannelFacts {
  std::string_view stem;            ///< of the randomizer that runs: a vote says grr or walsh_hash
  std::optional<TwoLevel> channel;  ///< none for additive noise: laplace, gaussian
  EpsilonNano declared = 0;
  EpsilonNano delivered =
      0;                 ///< rounded up; for laplace and one gaussian number the declared one, which its proof bounds
  DeltaUnits delta = 0;  ///< 0 for all but gaussian
  std::uint32_t payload_bits = 0;        ///< gaussian: 24 for each number
  std::optional<GaussianSpec> gaussian;  ///< whose integers the delivered epsilon follows from
  Digest digest{};
};

[[nodiscard]] ChannelFacts facts_of(const AnySpec& spec);

/// Fills in what follows from epsilon (threshold, oracle, bits), then checks the result as a device with this cap does.
/// Refuses  what derive() and certify() refuse, with their status.
Status compile_spec(AnySpec& spec, EpsilonNano cap);

}  // namespace sotto::analyzer
