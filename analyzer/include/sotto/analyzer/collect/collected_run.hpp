// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

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

/// A protocol study whose reports come bit by bit, over days and over many processes. The store is all that is kept in between:
/// opening goes through the closed rounds again by their stored sums, to the round that is open or to the model.
class CollectedRun {
 public:
  /// Study and store must outlive this, and so must `design`, the features of a label study. Without `master` sealed reports cannot be added; closed rounds need none.
  /// Refuses  collect.other_study: the study is not the one that the store's manifest was compiled from; collect.other_round: it
  ///          asks otherwise than the stored rounds did; what the store, the collector and the protocol refuse.
  [[nodiscard]] static Result<std::unique_ptr<CollectedRun>> open(const Study& study, RunStore& store,
                                                                  const std::optional<MasterKey>& master,
                                                                  const PublicDesign* design = nullptr);

  /// The bytes of the open round; nothing when the model is ready.
  [[nodiscard]] const std::optional<std::vector<std::uint8_t>>& round() const noexcept { return round_; }
  /// Of the open round, else of the last one.
  [[nodiscard]] std::uint16_t number() const noexcept { return number_; }

  /// Reports behind their lengths, up to k_batch_max_bytes, judged and stored under the next number of the open round.
  /// Refuses  collect.finished: no round is open; what the store refuses.
  Result<AddedBatch> put(std::span<const std::uint8_t> batch);
  /// What became of the reports that came while this round was the open one.
  [[nodiscard]] Result<ReasonCounts> counts(std::uint16_t round) const { return store_.counts(round); }

  /// Closes the open round for good, and opens the next one or makes the model. A refusal leaves the store as it was; this
  /// object is of no more use then.
  /// Refuses  collect.finished; protocol.too_few: fewer reports than the study's minimum; what the store refuses.
  Result<Done> close();

  /// After the last round; equal whenever it is made.
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
};

}  // namespace sotto::analyzer
