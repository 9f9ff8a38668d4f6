// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The question `vote`: which one feature matters on this device, or none.

#include "sotto/session/question.hpp"

namespace sotto {

/// Which feature matters on this device, or none. The round names the recipe. There are three questions of different
/// size; a firmware links one, and refuses recipes that it does not contain as unsupported_question.
///   given          the firmware's own answer; anything above d-1 is "none"
///   screen         the feature most correlated with the target, or with the residual if the round has a model
///   largest_mean   the largest |mean - model|
///   lasso, scad    one of the features that Lasso or SCAD selects. Parameters recipe::selection: columns that
///   screening
///                  keeps (1..128), lambda (Q24), the Pick, the limit on coordinate visits (1..65536). No model.
/// Without rows, or if no feature is selected, the answer is "none". Randomizer: vote. Payload: one number.
extern const Question k_vote_given;   ///< given
extern const Question k_vote_screen;  ///< given, screen, largest_mean
extern const Question k_vote;         ///< all recipes

/// Bytes of work space that are enough for k_vote and k_vote_screen, whatever the recipe and the model.
[[nodiscard]] std::size_t vote_work_bytes(std::uint32_t nominal_rows, std::uint32_t keep, bool mapped) noexcept;

}  // namespace sotto
