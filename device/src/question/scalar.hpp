// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "place.hpp"

// One number in [-1, 1] through the window channel or with Laplace noise: shared by label and value.
namespace sotto {

/// Refuses  bad_channel: another stem; bad_field: integers behind the stem's own; what certify() refuses.
[[nodiscard]] Status check_scalar(Asked& asked) noexcept;
/// Stores the answer, Q15, within [-32768, 32768]; on a grid of radius G it is answer * G / 2^15, rounded to nearest, a
/// half upward.
void keep_scalar(const Asked& asked, std::int32_t answer_q15) noexcept;
/// The same for the place in a range, from -1 at its low end to 1 at its high end.
void keep_position(const Asked& asked, const Position& at) noexcept;
void report_scalar(const Asked& asked, PrivateCoins& coins, const std::span<std::uint8_t>& payload) noexcept;

/// Constant time; radius at most 4096.
[[nodiscard]] inline std::int32_t on_grid(std::int32_t answer_q15, std::uint32_t radius) noexcept {
  return (answer_q15 * static_cast<std::int32_t>(radius) + (1 << 14)) >> 15;
}

}  // namespace sotto
