// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Leads a study on a cluster through its rounds: it opens and closes them in every partition, and merges what the
/// workers published. It holds no key. Every gateway runs one.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sotto/analyzer/aggregate/round_aggregate.hpp"
#include "sotto/analyzer/cluster/entry.hpp"
#include "sotto/analyzer/cluster/progress.hpp"
#include "sotto/analyzer/cluster/round_state.hpp"
#include "sotto/analyzer/data/public_design.hpp"
#include "sotto/analyzer/log/shared_log.hpp"
#include "sotto/analyzer/model/model.hpp"
#include "sotto/analyzer/protocol/frame/protocol.hpp"
#include "sotto/analyzer/protocol/frame/report_sizes.hpp"
#include "sotto/analyzer/study/study.hpp"

namespace sotto::analyzer {

/// A study as a coordinator needs it. What it points to outlives the coordinator.
struct CoordinatedStudy {
  const Study* study = nullptr;
  const PublicDesign* design = nullptr;
  std::vector<std::uint8_t> manifest;
  std::string command;        ///< the command that makes the model again
  std::uint64_t target = 0;   ///< a round closes at so many accepted reports; 0: not by this
  std::uint64_t seconds = 0;  ///< or so long after it was opened; 0: not by this
};

/// For one thread. Two coordinators of one study, in whatever processes, come to the same states.
class Coordinator {
 public:
  /// Refuses   collect.no_minimum; collect.other_study; what the protocol refuses.
  [[nodiscard]] static Result<std::unique_ptr<Coordinator>> open(CoordinatedStudy study, SharedLog& log,
                                                                 std::uint32_t partitions);
  Coordinator(const Coordinator&) = delete;
  Coordinator& operator=(const Coordinator&) = delete;

  /// Follows what others decided, does what the state asks for, and takes the next step where it is due.
  /// Refuses   what the log and the protocol refuse; the state stays, and step() may be called again.
  [[nodiscard]] Result<Done> step();

  /// Takes this step from the state that holds now, unless somebody else was quicker: then false.
  [[nodiscard]] Result<bool> take(StudyStep step, std::int64_t until, std::string why);

  [[nodiscard]] const std::vector<RoundState>& states() const noexcept { return states_; }
  /// The bytes of the round that devices may be asked; empty before the first and after the last one.
  [[nodiscard]] const std::optional<std::vector<std::uint8_t>>& asked() const noexcept { return asked_; }
  /// Counts of all reports when the last round was closed.
  [[nodiscard]] const ReasonCounts& counts() const noexcept { return counts_; }
  /// After the last round: the same bytes whoever computes it.
  [[nodiscard]] Model model() const;

 private:
  Coordinator(CoordinatedStudy study, SharedLog& log, std::uint32_t partitions)
      : study_(std::move(study)), log_(log), partitions_(partitions) {}
  struct Merged {
    RoundAggregate sums;
    ReasonCounts counts;
  };
  [[nodiscard]] Result<Done> begin();
  [[nodiscard]] Result<Done> follow();
  [[nodiscard]] Result<Done> adopt(const RoundState& state);
  [[nodiscard]] Result<Done> act();
  [[nodiscard]] Result<Done> mark_everywhere(EntryKind kind, const RoundState& state);
  [[nodiscard]] Result<Done> look_at_the_rule(const RoundState& state);
  [[nodiscard]] Result<Done> decide(const RoundState& state);
  [[nodiscard]] Result<std::optional<Merged>> merged(const RoundState& state);
  [[nodiscard]] Result<Done> advance(const Merged& merged);

  CoordinatedStudy study_;
  SharedLog& log_;
  std::uint32_t partitions_;
  Manifest manifest_;
  std::vector<RoundState> states_;
  std::uint64_t marked_ = 0;  ///< the number of the state whose markers are appended

  // What follows from the closed rounds.
  std::unique_ptr<Protocol> protocol_;
  std::vector<RoundAggregate> closed_;
  std::optional<std::vector<std::uint8_t>> round_;  ///< bytes of the round that is opened next, or open
  std::optional<std::vector<std::uint8_t>> asked_;
  ReportSizes sizes_;
  ReasonCounts counts_;
};

}  // namespace sotto::analyzer
