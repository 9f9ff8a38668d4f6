// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The parameters of a randomizer that a study file does not state: the choice with the least error at its epsilon.
/// Each function refuses as the proposal that it calls does: an epsilon too small for the channel's coins.

#include "sotto/analyzer/channel/any_spec.hpp"
#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer {

inline constexpr std::uint32_t k_default_codewords = 1024;

/// The number of flips t with the largest mean of (1 - 2 flipped/width), which keeps most of the signs.
[[nodiscard]] std::uint32_t default_flips(EpsilonNano epsilon, std::uint32_t width);
[[nodiscard]] Result<AnySpec> default_window(EpsilonNano epsilon);
/// The best channel that costs a device at most a million instructions and 8 KiB.
[[nodiscard]] Result<AnySpec> default_direction(EpsilonNano epsilon, std::uint32_t dimension);
[[nodiscard]] Result<AnySpec> default_cross_polytope(EpsilonNano epsilon, std::uint32_t log2_size,
                                                     std::uint32_t dimension);
[[nodiscard]] Result<AnySpec> default_sphere_code(EpsilonNano epsilon, std::uint32_t dimension,
                                                  std::uint32_t codewords);

}  // namespace sotto::analyzer
