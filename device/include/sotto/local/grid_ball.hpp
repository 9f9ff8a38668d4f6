// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Rounds a vector to the integer grid on which noise is added, inside a ball.

#include <cstdint>
#include <span>

namespace sotto {

/// Maps a vector in Q24 to the integers to which Gaussian noise is added: the ball of radius_q24 is mapped to the ball
/// of `grid_radius` steps. In place: clipped to the first ball, scaled, rounded to nearest, and clipped to the second
/// ball, because rounding can exceed it by sqrt(n)/2 steps.
/// Privacy  the sum of squares is at most grid_radius^2 in integers for any input, so two answers differ by at most
///          2*grid_radius: device/proofs/projection.md. The randomizer `gaussian` clips again, which does not change
///          such a vector.
/// Accuracy  for a radius of 2^-4 or more and up to 512 steps: half a step and 2^-8 a coordinate where the rounded
///           vector fits, 2 sqrt(n) + 2 steps in norm otherwise.
/// Cost     64 numbers: 6.9 k, 11.0 k and 15.0 k instructions on Cortex-M4, M3 and M0; up to 57 k, 64 k and 116 k when
///          it clips.
/// Takes    at most 4096 numbers, a radius_q24 from 1 to 2^31 - 1, a grid_radius from 1 to 2^15 - 1.
void grid_ball(const std::span<std::int32_t>& v_q24, std::uint32_t radius_q24, std::uint32_t grid_radius) noexcept;

}  // namespace sotto
