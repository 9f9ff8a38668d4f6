// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Simulates a vote: many devices vote through the device library, and the analyzer estimates the shares.

#include <cstdint>
#include <functional>
#include <vector>

#include "sotto/analyzer/aggregate/vote.hpp"
#include "sotto/analyzer/result.hpp"
#include "sotto/spec/vote.hpp"

namespace sotto::analyzer {

/// A fleet that votes. Each device is empty with probability `empty` and then votes for none; otherwise it votes for
/// one of `heavy` features, the i-th of them with weight 2*heavy - i. These features and their order are drawn from the
/// seed.
struct VoteFleet {
  std::uint64_t users = 0;
  std::uint32_t features = 0;
  EpsilonNano epsilon = 0;
  std::uint32_t heavy = 8;
  double empty = 0;
  std::uint64_t seed = 1;
  std::uint32_t threads = 1;
};

/// One device as an example: its true answer, and what it sent.
struct SentVote {
  std::uint64_t pseudonym = 0;
  std::uint32_t answer = 0;
  std::uint32_t report = 0;
};

/// The result of a simulated vote.
struct VoteRun {
  VoteSpec spec;
  std::vector<std::uint32_t> heavy;  ///< features that carry votes, most votes first
  std::vector<std::uint64_t> truth;  ///< true votes, one number for each feature and one for none
  VoteShares estimate;               ///< the shares that the analyzer estimates from the reports
  std::vector<SentVote> examples;    ///< the first few devices
  double seconds = 0;
};

/// Runs the fleet: each device has its own pseudonym, public and private coins, and votes through the device library.
/// The result does not depend on the number of threads; memory does not grow with users. `progress` is called from time
/// to time with the number of devices done, from the calling thread; it may be empty.
/// Refuses   simulate.bad_users, simulate.bad_features, simulate.bad_heavy, simulate.bad_empty, simulate.device: what
///           the device library refused.
[[nodiscard]] Result<VoteRun> run_vote_fleet(const VoteFleet& fleet,
                                             const std::function<void(std::uint64_t)>& progress);

/// The bytes of one report: the pseudonym, which selects its public coins, then the payload, little-endian.
[[nodiscard]] std::vector<std::uint8_t> vote_report_bytes(const VoteSpec& spec, const SentVote& vote);

}  // namespace sotto::analyzer
