// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Randomizers without the checks of their public functions, for questions: the spec must be certified, memory must
/// have the spec's size, and the coins must be ready.

#include <span>

#include "sotto/coins/private_coins.hpp"
#include "sotto/randomize/k_closest.hpp"
#include "sotto/spec/cross_polytope.hpp"
#include "sotto/spec/gaussian.hpp"

namespace sotto {

void gaussian_unchecked(const GaussianSpec& spec, const std::span<std::int32_t>& values, PrivateCoins& coins) noexcept;

/// block_report() of a spec with this channel and width.
[[nodiscard]] std::uint32_t block_report(const TwoLevel& channel, std::uint32_t width, std::uint32_t x,
                                         const TwoLevelDraw& draw) noexcept;

/// The keys by which rotated coordinates, which are overwritten, are ranked.
[[nodiscard]] Keys cross_polytope_keys(const CrossPolytopeSpec& spec, std::int32_t* rotated) noexcept;

/// The keys by which the codewords are ranked: their scores.
[[nodiscard]] inline Keys sphere_code_keys(const std::span<const std::uint16_t>& scores) noexcept {
  return {static_cast<std::uint32_t>(scores.size()), 16, nullptr, scores.data()};
}

}  // namespace sotto
