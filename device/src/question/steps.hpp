// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "front.hpp"

// The local answer of k_update and k_update_noisy, which differ in the randomizers that they link.
namespace sotto {

/// Refuses  unsupported_question: another recipe; bad_field; bad_dimension: a feature that does not exist.
[[nodiscard]] Status check_steps(const Asked& asked) noexcept;
/// Plans the work space; so many bytes behind what is kept are for the answer.
/// Refuses  bad_field: bound, link, or its table.
[[nodiscard]] Status plan_steps(Asked& asked, std::size_t answer_bytes) noexcept;
/// The difference after all steps, Q24, into `out` of all features. Cannot refuse once both checks passed.
void steps_answer(const Asked& asked, const LocalData& local, Workspace& space,
                  const std::span<std::int32_t>& out) noexcept;

Status check_update(Asked& asked) noexcept;
void prepare_update(const Asked& asked, const LocalData& local, PrivateCoins& coins) noexcept;

}  // namespace sotto
