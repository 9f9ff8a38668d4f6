// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// A study whose reports arrive over days and many processes, with all state in a store: what `sotto serve` and
/// `sotto estimate` need of it, whether a protocol asks its rounds or it is one vote.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sotto/analyzer/data/public_design.hpp"
#include "sotto/analyzer/model/model.hpp"
#include "sotto/analyzer/store/run_settings.hpp"
#include "sotto/analyzer/store/store_sink.hpp"
#include "sotto/analyzer/study/study.hpp"

namespace sotto::analyzer {

/// The open round of a study and the reports to it.
class Collection {
 public:
  /// Opens a study: CollectedRun where it has a protocol, CollectedVote otherwise. Study, store and design must outlive
  /// the object.
  /// Refuses  what they refuse.
  [[nodiscard]] static Result<std::unique_ptr<Collection>> open(const Study& study, RunStore& store,
                                                                const std::optional<MasterKey>& master,
                                                                const PublicDesign* design = nullptr);
  Collection(const Collection&) = delete;
  Collection& operator=(const Collection&) = delete;
  virtual ~Collection() = default;

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
  virtual Result<Done> close() = 0;
  /// The model, available after the last round; the same whenever it is computed.
  [[nodiscard]] virtual Model model() const = 0;

 protected:
  Collection(const Study& study, RunStore& store, RunSettings settings)
      : study_(study), store_(store), settings_(std::move(settings)) {}
  /// What is the same for both at opening: the settings and the manifest of the store.
  static Result<RunSettings> settings_of(const Study& study, const RunStore& store);
  Result<Done> begin(const std::optional<MasterKey>& master);
  /// Makes this the open round; if empty, the model is ready.
  Result<Done> show(const std::optional<std::vector<std::uint8_t>>& round);
  [[nodiscard]] Error finished() const;

  const Study& study_;
  RunStore& store_;
  RunSettings settings_;
  Manifest manifest_;
  std::unique_ptr<StoreSink> sink_;
  std::optional<std::vector<std::uint8_t>> round_;

 private:
  std::uint16_t number_ = 0;
  bool abandoned_ = false;
};

}  // namespace sotto::analyzer
