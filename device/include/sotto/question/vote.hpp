// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/session/question.hpp"

namespace sotto {

/// Which variable matters on this device, or none. The round names the recipe; a firmware links the selectors that it has room
/// for, and refuses the other recipes as unsupported_question.
///   given          the firmware's own answer; anything above d-1 is "none"
///   screen         the strongest column; a model in the round takes its fit off the target first
///   largest_mean   the largest |mean - model|
///   lasso, scad    parameters recipe::selection: columns that screening keeps (1..128), lambda (Q24), the Pick, and the
///                  limit on coordinate visits (1..65536). No model.
/// Randomizer: vote. Payload: one number. No rows, or none selected: "none".
extern const Question k_vote_given;   ///< given
extern const Question k_vote_screen;  ///< given, screen, largest_mean
extern const Question k_vote;         ///< all of them

/// Bytes of work space that are enough for k_vote and k_vote_screen, whatever the recipe and the model.
[[nodiscard]] std::size_t vote_work_bytes(std::uint32_t nominal_rows, std::uint32_t keep, bool mapped) noexcept;

}  // namespace sotto
