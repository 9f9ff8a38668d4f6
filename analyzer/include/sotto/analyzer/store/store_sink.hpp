// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The destination of a protocol's reports that writes them to a run's store, so that an interrupted run continues
/// where it stopped.

#include <memory>
#include <mutex>
#include <optional>

#include "sotto/analyzer/aggregate/round_sink.hpp"
#include "sotto/analyzer/store/run_store.hpp"

namespace sotto::analyzer {

/// Stores every report of a run. When an interrupted run continues, closed rounds return their stored sums, and stored
/// batches are not asked for again.
class StoreSink final : public RoundSink {
 public:
  /// The store must outlive the sink.
  /// Refuses  what Collector::open() and the store refuse.
  static Result<std::unique_ptr<StoreSink>> open(RunStore& store, const std::optional<MasterKey>& master);

  Result<Done> open_round(std::span<const std::uint8_t> round) override;
  [[nodiscard]] Result<bool> has_batch(std::uint64_t number) override;
  Result<Done> put_batch(std::uint64_t number, std::span<const std::uint8_t> batch) override;
  Result<RoundAggregate> close_round() override;
  /// Closes the round with the result of sums(), if no batch arrived in between.
  Result<Done> close_round(const RoundAggregate& sums);
  /// Stores a batch under the next free number.
  Result<AddedBatch> add_batch(std::span<const std::uint8_t> batch);
  /// Stores the reports of several requests in one transaction; returns the counts of each.
  Result<std::vector<ReasonCounts>> add_group(std::span<const std::span<const std::uint8_t>> requests);
  /// The counts that requests would have while no round is open. Nothing is stored or counted.
  std::vector<ReasonCounts> judge(std::span<const std::span<const std::uint8_t>> requests);
  /// RunStore::keep_refusals() of the open round.
  Result<Done> keep_refusals();
  /// RunStore::forget(); the counts follow.
  Result<Done> forget(std::uint64_t pseudonym);
  /// From now on reports to the open round are late, and its readings stay as they are. The store does not change.
  void stop_round() { collector_->close_round(round_.number); }
  /// The sums of the open round so far. The round stays open.
  [[nodiscard]] Result<RoundAggregate> sums() const;
  /// Whether the round opened last had been closed before.
  [[nodiscard]] bool is_closed() const noexcept { return is_closed_; }
  [[nodiscard]] ReasonCounts counts() const override { return collector_->counts(); }

 private:
  StoreSink(RunStore& store, std::unique_ptr<Collector> collector) : store_(store), collector_(std::move(collector)) {}

  RunStore& store_;
  std::unique_ptr<Collector> collector_;
  std::mutex lock_;  // guards the store: one batch at a time
  std::vector<std::uint8_t> round_bytes_;
  Round round_;
  bool is_closed_ = false;
};

}  // namespace sotto::analyzer
