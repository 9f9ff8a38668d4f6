// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Runs a protocol study over days and many processes: takes batches of reports, closes rounds and computes the model,
/// with all state in the store. `sotto estimate` calls it.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sotto/analyzer/data/public_design.hpp"
#include "sotto/analyzer/protocol/frame/protocol.hpp"
#include "sotto/analyzer/protocol/frame/report_sizes.hpp"
#include "sotto/analyzer/store/run_settings.hpp"
#include "sotto/analyzer/store/store_sink.hpp"
#include "sotto/analyzer/study/study.hpp"

namespace sotto::analyzer {

/// A protocol study whose reports arrive over days and many processes. Only the store persists in between: opening
/// replays the closed rounds from their stored sums, up to the open round or the model.
class CollectedRun {
 public:
  /// Study and store must outlive this object, and so must `design`, the features of a label study. Without `master`
  /// sealed reports cannot be added; closed rounds do not need it.
  /// Refuses  collect.other_study: the study is not the one that the store's manifest was compiled from;
  ///          collect.other_round: it asks something else than the stored rounds did; what the store, the collector and
  ///          the protocol refuse.
  [[nodiscard]] static Result<std::unique_ptr<CollectedRun>> open(const Study& study, RunStore& store,
                                                                  const std::optional<MasterKey>& master,
                                                                  const PublicDesign* design = nullptr);

  /// The bytes of the open round; empty when the model is ready.
  [[nodiscard]] const std::optional<std::vector<std::uint8_t>>& round() const noexcept { return round_; }
  /// The number of the open round, or of the last one if none is open.
  [[nodiscard]] std::uint16_t number() const noexcept { return number_; }

  /// Checks a batch of reports of up to k_batch_max_bytes and stores it under the next free number of the open round.
  /// Refuses  collect.finished: no round is open; what the store refuses.
  Result<AddedBatch> put(std::span<const std::uint8_t> batch);
  /// The same for several requests in one transaction; returns the counts of each. While no round is open, reports are
  /// judged and nothing is stored.
  /// Refuses  what the store refuses.
  Result<std::vector<ReasonCounts>> put_group(std::span<const std::span<const std::uint8_t>> requests);
  /// Stores the counts of refused reports that put_group() has not stored yet.
  Result<Done> keep_refusals() { return round_ ? sink_->keep_refusals() : Result<Done>(Done{}); }
  /// Removes all that is stored of a pseudonym which answered the open round.
  /// Refuses  collect.finished; store.no_pseudonym; store.round_closed.
  Result<Done> forget(std::uint64_t pseudonym);
  /// The open round is given up: reports to it are late from now on.
  void abandon();
  /// The counts of all reports.
  [[nodiscard]] ReasonCounts counts() const { return sink_->counts(); }
  /// The counts of the reports that arrived while this round was open.
  [[nodiscard]] Result<ReasonCounts> counts(std::uint16_t round) const { return store_.counts(round); }

  /// Closes the open round for good, and opens the next one or computes the model. A refusal leaves the store
  /// unchanged; this object must not be used afterwards.
  /// Refuses  collect.finished; protocol.too_few: fewer reports than the study's minimum; what the store refuses.
  Result<Done> close();

  /// The model, available after the last round; the same whenever it is computed.
  [[nodiscard]] Model model() const;

 private:
  CollectedRun(const Study& study, RunStore& store, RunSettings settings)
      : study_(study), store_(store), settings_(std::move(settings)) {}
  Result<Done> show(const std::optional<std::vector<std::uint8_t>>& round);

  const Study& study_;
  RunStore& store_;
  RunSettings settings_;
  Manifest manifest_;
  std::unique_ptr<Protocol> protocol_;
  std::unique_ptr<StoreSink> sink_;
  ReportSizes sizes_;
  std::optional<std::vector<std::uint8_t>> round_;
  std::uint16_t number_ = 0;
  bool abandoned_ = false;
};

}  // namespace sotto::analyzer
