// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "front.hpp"

// A vector in a ball, lifted to a unit vector and reported as a direction: shared by direction, moments and update.
namespace sotto {

/// Certifies cross_polytope, sphere_code or hemisphere for a vector of this size and one more coordinate.
/// Refuses  bad_field: the radius (Q24) is 0 or above 2^31 - 1; bad_channel: another stem; bad_dimension;
///          what certify() refuses.
[[nodiscard]] Status check_lifted(Asked& asked, std::uint32_t size) noexcept;
/// Stores the lifted vector: from here on neither time nor traffic depends on it. The zero vector becomes the pole.
void keep_lifted(const Asked& asked, const std::span<const std::int32_t>& vector_q24) noexcept;
void report_lifted(const Asked& asked, PrivateCoins& coins, const std::span<std::uint8_t>& payload) noexcept;

}  // namespace sotto
