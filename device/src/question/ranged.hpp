// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "place.hpp"

// One rotated coordinate of a vector, clipped to its range: shared by value and bin.
namespace sotto {

/// Refuses  what check_vector() refuses; bad_field: a radius or link table is given, the number of pairs is not 1 or P,
///          or a low end is not below its high end.
[[nodiscard]] Status check_ranged(Asked& asked) noexcept;
[[nodiscard]] Position ranged_answer(const Asked& asked, const LocalData& local) noexcept;

/// Coordinate j of the rotated vector, Q24.
[[nodiscard]] std::int32_t rotated_coordinate(const CoinLabel& label, const std::span<const std::int32_t>& vector_q24,
                                              std::uint32_t j) noexcept;

}  // namespace sotto
