// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/question/vote.hpp"
#include "sotto/spec/vote.hpp"
#include "state.hpp"

// The three vote questions differ in the selectors that they link, not in what they check and send.
namespace sotto {

/// The answer, in the work space: a feature, or none.
[[nodiscard]] inline std::uint32_t& voted_feature(const Asked& asked) noexcept {
  return number_of<std::uint32_t>(asked);
}

/// Certifies the vote. The recipe takes so many parameters, the first ones; `unused` is what else must be zero.
[[nodiscard]] Status check_vote(Asked& asked, std::uint32_t parameters, std::uint32_t unused) noexcept;
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
[[nodiscard]] Status check_screened_vote(Asked& asked) noexcept;
void prepare_screened_vote(const Asked& asked, const LocalData& local, PrivateCoins& coins) noexcept;

}  // namespace sotto
