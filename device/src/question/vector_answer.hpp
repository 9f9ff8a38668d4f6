// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "front.hpp"

// The local vector of direction, value and bin: least_squares, gradient, row_gradient, means or levels. Their
// parameters are recipe::vector; the radius belongs to the question.
namespace sotto {

/// Refuses  unsupported_question: another recipe; bad_field; bad_dimension: no coordinates, too many, or a feature that
///          does not exist.
[[nodiscard]] Status check_vector(const Asked& asked) noexcept;
/// How many numbers the answer has, after that check.
[[nodiscard]] std::uint32_t vector_size(const Asked& asked) noexcept;
/// Plans the work space of vector_answer(), the answer included, behind what the question keeps.
void plan_vector(Asked& asked) noexcept;
/// Computes the local answer, Q24, at the front of the free space. Cannot refuse a round that was checked and planned.
[[nodiscard]] std::span<std::int32_t> vector_answer(const Asked& asked, const LocalData& local) noexcept;

}  // namespace sotto
