// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "front.hpp"

// The local answer of k_update and k_update_noisy, which differ in the randomizers that they link.
namespace sotto {

/// Refuses  unsupported_question: another recipe; bad_field; bad_dimension: a feature that is not.
[[nodiscard]] Status check_steps(const Asked& asked) noexcept;
/// Refuses  short_buffer; bad_field: bound, link, or its table. `kept` bytes hold the question's, and the answer.
[[nodiscard]] Status check_steps_space(const Asked& asked, std::size_t kept) noexcept;
/// The difference after all steps, Q24, of all features, behind `kept` bytes. Cannot refuse once both checks passed.
[[nodiscard]] std::span<std::int32_t> steps_answer(const Asked& asked, const LocalData& local,
                                                   std::size_t kept) noexcept;

Status check_update(const Asked& asked, AnswerPlan& plan) noexcept;
void prepare_update(const Asked& asked, const LocalData& local, PrivateCoins& coins) noexcept;

}  // namespace sotto
