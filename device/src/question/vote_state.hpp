// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/question/vote.hpp"
#include "sotto/spec/vote.hpp"
#include "state.hpp"

// The three vote questions differ in the selectors that they link, not in what they check and send.
namespace sotto {

/// What the work space keeps. The spec stays in the round, which the session holds.
struct VoteState {
  WorkTag tag;
  std::uint32_t answer;
};

/// Certifies the vote. The recipe takes so many parameters, the first ones; `unused` is what else must be zero.
[[nodiscard]] Status check_vote(const Asked& asked, std::uint32_t parameters, std::uint32_t unused,
                                AnswerPlan& plan) noexcept;
void report_vote(const Asked& asked, PrivateCoins& coins, const std::span<std::uint8_t>& payload) noexcept;

/// The sizes on which the work space of screen and largest_mean depends.
struct ScreenedVote {
  Recipe recipe;
  std::uint32_t rows;
  std::size_t model_size;
  bool mapped;
};
[[nodiscard]] std::size_t screened_vote_bytes(const ScreenedVote& vote) noexcept;

/// vote_screen.cpp. Refuses  unsupported_question: another recipe than given, screen and largest_mean.
[[nodiscard]] Status check_screened_vote(const Asked& asked, AnswerPlan& plan) noexcept;
void prepare_screened_vote(const Asked& asked, const LocalData& local, PrivateCoins& coins) noexcept;

}  // namespace sotto
