// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "front.hpp"

// The local answer of k_label and k_label_noisy, which differ in the randomizers that they link.
namespace sotto {

/// Refuses  unsupported_question: another recipe; bad_field.
[[nodiscard]] Status check_target(const Asked& asked) noexcept;
void prepare_label(const Asked& asked, const LocalData& local, PrivateCoins& coins) noexcept;

}  // namespace sotto
