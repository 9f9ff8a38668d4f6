// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "front.hpp"

// The local vector of direction, value and bin: least_squares, gradient, row_gradient, means or scores. Their
// parameters are recipe::vector; the radius belongs to the question.
namespace sotto {

struct VectorPlan {
  std::uint32_t size = 0;      ///< numbers in the answer
  std::size_t work_bytes = 0;  ///< that vector_answer() needs, the answer included
};

/// Checks everything but the link.
/// Refuses  unsupported_question: another recipe; bad_field; bad_dimension: no coordinates, too many, or a feature that
///          does not exist.
[[nodiscard]] Status plan_vector(const Asked& asked, VectorPlan& plan) noexcept;
/// Plans the work space behind what the question keeps.
/// Refuses  bad_field: the link.
[[nodiscard]] Status plan_vector_space(Asked& asked, const VectorPlan& plan) noexcept;
/// Computes the local answer, Q24, at the front of the free space. Cannot refuse after both checks passed.
[[nodiscard]] std::span<std::int32_t> vector_answer(const Asked& asked, const LocalData& local) noexcept;

}  // namespace sotto
