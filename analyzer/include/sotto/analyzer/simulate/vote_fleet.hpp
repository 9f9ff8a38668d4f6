// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sotto/analyzer/aggregate/vote.hpp"
#include "sotto/analyzer/result.hpp"
#include "sotto/spec/vote.hpp"

namespace sotto::analyzer {

/// A fleet of simulated devices that vote. Each device is `empty` with the given odds and then votes for none;
/// otherwise for one of `heavy` features, the i-th of them with weight 2*heavy - i. Which features these are, and
/// their order, is drawn from the seed.
struct VoteFleet {
  std::uint64_t users = 0;
  std::uint32_t features = 0;
  EpsilonNano epsilon = 0;
  std::uint32_t heavy = 8;
  double empty = 0;
  std::uint64_t seed = 1;
  std::uint32_t threads = 1;
};

/// One device as an example: what stayed on it, and what left.
struct SentVote {
  std::uint64_t pseudonym = 0;
  std::uint32_t answer = 0;
  std::uint32_t report = 0;
};

struct VoteRun {
  VoteSpec spec;
  std::vector<std::uint32_t> heavy;  ///< features that carry votes, most votes first
  std::vector<std::uint64_t> truth;  ///< votes really cast, one per feature and one for none
  VoteShares estimate;               ///< what the analyzer recovers from the reports
  std::vector<SentVote> examples;    ///< the first few devices
  double seconds = 0;
};

/// Runs the fleet: every device has its own pseudonym, public and private coins, and votes through the device library.
/// The result depends on the fleet only, not on the number of threads; memory does not grow with users.
/// `progress` is called now and then with the number of devices done, from the calling thread; it may be empty.
/// Refuses   simulate.bad_users, simulate.bad_features, simulate.bad_heavy, simulate.bad_empty,
///           simulate.device: what the device library refused.
[[nodiscard]] Result<VoteRun> run_vote_fleet(const VoteFleet& fleet,
                                             const std::function<void(std::uint64_t)>& progress);

/// Bytes of one report: the pseudonym that names its public coins, then the payload, little-endian.
[[nodiscard]] std::vector<std::uint8_t> vote_report_bytes(const VoteSpec& spec, const SentVote& vote);

}  // namespace sotto::analyzer
