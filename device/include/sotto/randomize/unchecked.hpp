// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <span>

#include "sotto/coins/private_coins.hpp"
#include "sotto/randomize/k_closest.hpp"
#include "sotto/spec/cross_polytope.hpp"
#include "sotto/spec/gaussian.hpp"

// Randomizers without the checks of their public functions, for questions: the spec was certified, memory is of its size, and a
// report was begun.
namespace sotto {

void gaussian_unchecked(const GaussianSpec& spec, const std::span<std::int32_t>& values, PrivateCoins& coins) noexcept;

/// Of a spec with this channel and width.
[[nodiscard]] std::uint32_t block_report(const TwoLevel& channel, std::uint32_t width, std::uint32_t x,
                                         const TwoLevelDraw& draw) noexcept;

/// Rotated coordinates, overwritten by what ranks them.
[[nodiscard]] Keys cross_polytope_keys(const CrossPolytopeSpec& spec, std::int32_t* rotated) noexcept;

[[nodiscard]] inline Keys sphere_code_keys(const std::span<const std::uint16_t>& scores) noexcept {
  return {static_cast<std::uint32_t>(scores.size()), 16, nullptr, scores.data()};
}

}  // namespace sotto
