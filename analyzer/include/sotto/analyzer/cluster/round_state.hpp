// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The states of a study on a cluster: a list in which each state is written once under its number. Whoever writes
/// number n + 1 first decides, and the others follow: a compare-and-swap, so that any number of coordinators is safe.

#include <cstdint>
#include <optional>
#include <string>

#include "sotto/analyzer/log/log.hpp"

namespace sotto::analyzer {

enum class StudyStep : std::uint8_t {
  opening,    ///< OPEN is being appended everywhere; devices are not asked yet
  open,       ///< devices are asked
  extended,   ///< open, until another time
  stalled,    ///< open, below the minimum at the deadline: the operator decides
  closing,    ///< CLOSE is being appended everywhere; workers sum
  closed,     ///< the sums are those of the round
  finished,   ///< all rounds are closed
  abandoned,  ///< given up by the operator
  stopped,    ///< two workers came to different sums
};
[[nodiscard]] std::string_view step_name(StudyStep step) noexcept;

struct RoundState {
  StudyStep step = StudyStep::opening;
  std::uint16_t round = 1;
  std::uint32_t attempt = 1;  ///< to close this round
  std::int64_t at = 0;        ///< seconds since 1970
  std::int64_t until = 0;     ///< the deadline that holds from then on; 0: none
  std::string why;            ///< the rule, the operator, or what an attempt lacked
  friend bool operator==(const RoundState&, const RoundState&) = default;
};

/// State number `number`, which counts from 1; empty if nobody wrote it yet.
/// Refuses   cluster.other_version; what the log refuses.
[[nodiscard]] Result<std::optional<RoundState>> state_of(Log& log, std::uint64_t number);
/// Writes it unless somebody did; returns the one that stays.
/// Refuses   cluster.other_version; what the log refuses.
[[nodiscard]] Result<RoundState> propose_state(Log& log, std::uint64_t number, const RoundState& state);

}  // namespace sotto::analyzer
