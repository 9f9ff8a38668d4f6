// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Where the reports of a round go while it is open: an interface, and an implementation that keeps sums in memory. The
/// store implements it with a file.

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "sotto/analyzer/aggregate/round_aggregate.hpp"
#include "sotto/analyzer/ingest/collector.hpp"

namespace sotto::analyzer {

/// Takes batches of reports. A batch has a number within its round; a batch that the sink already has need not be put
/// again.
class RoundSink {
 public:
  RoundSink() = default;
  RoundSink(const RoundSink&) = delete;
  RoundSink& operator=(const RoundSink&) = delete;
  virtual ~RoundSink() = default;

  virtual Result<Done> open_round(std::span<const std::uint8_t> round) = 0;
  /// Whether the open round has the batch. May be called from any thread.
  [[nodiscard]] virtual Result<bool> has_batch(std::uint64_t number) = 0;
  virtual Result<Done> put_batch(std::uint64_t number, std::span<const std::uint8_t> batch) = 0;
  /// Closes the open round and returns the aggregate of its reports.
  virtual Result<RoundAggregate> close_round() = 0;
  [[nodiscard]] virtual ReasonCounts counts() const = 0;
};

/// Keeps only sums: for simulations whose devices send once, so that there are no duplicates to detect.
class SummingSink final : public RoundSink {
 public:
  /// Refuses  what Collector::open() refuses. The manifest's bytes must outlive the sink.
  static Result<std::unique_ptr<SummingSink>> open(std::span<const std::uint8_t> manifest,
                                                   const std::optional<MasterKey>& master);

  Result<Done> open_round(std::span<const std::uint8_t> round) override;
  [[nodiscard]] Result<bool> has_batch(std::uint64_t) override { return false; }
  Result<Done> put_batch(std::uint64_t number, std::span<const std::uint8_t> batch) override;
  Result<RoundAggregate> close_round() override;
  [[nodiscard]] ReasonCounts counts() const override { return collector_->counts(); }

 private:
  explicit SummingSink(std::unique_ptr<Collector> collector) : collector_(std::move(collector)) {}

  std::unique_ptr<Collector> collector_;
  std::vector<std::uint8_t> round_bytes_;
  std::uint16_t round_ = 0;
  std::mutex lock_;  // guards sums_
  std::optional<RoundAggregate> empty_, sums_;
};

}  // namespace sotto::analyzer
