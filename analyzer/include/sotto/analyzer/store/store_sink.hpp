// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "sotto/analyzer/aggregate/round_sink.hpp"
#include "sotto/analyzer/store/run_store.hpp"

namespace sotto::analyzer {

/// Keeps every report of a run in its store. A run that was cut goes on: rounds that are closed give their sums again, batches
/// that are stored are not wanted again.
class StoreSink final : public RoundSink {
 public:
  /// The store must outlive the sink.
  /// Refuses  what Collector::open() and the store refuse.
  static Result<std::unique_ptr<StoreSink>> open(RunStore& store, const std::optional<MasterKey>& master);

  Result<Done> open_round(std::span<const std::uint8_t> round) override;
  [[nodiscard]] Result<bool> has_batch(std::uint64_t number) override;
  Result<Done> put_batch(std::uint64_t number, std::span<const std::uint8_t> batch) override;
  Result<RoundAggregate> close_round() override;
  /// The same with what sums() gave, when no batch came in between.
  Result<Done> close_round(const RoundAggregate& sums);
  /// Under the next number that is free.
  Result<AddedBatch> add_batch(std::span<const std::uint8_t> batch);
  /// What the open round comes to so far. Nothing closes.
  [[nodiscard]] Result<RoundAggregate> sums() const;
  /// Was the round that was opened last closed before?
  [[nodiscard]] bool is_closed() const noexcept { return is_closed_; }
  [[nodiscard]] ReasonCounts counts() const override { return collector_->counts(); }

 private:
  StoreSink(RunStore& store, std::unique_ptr<Collector> collector) : store_(store), collector_(std::move(collector)) {}

  RunStore& store_;
  std::unique_ptr<Collector> collector_;
  std::mutex lock_;  // of the store: one batch at a time
  std::vector<std::uint8_t> round_bytes_;
  Round round_;
  bool is_closed_ = false;
};

}  // namespace sotto::analyzer
