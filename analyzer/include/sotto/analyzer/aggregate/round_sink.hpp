// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "sotto/analyzer/aggregate/round_aggregate.hpp"
#include "sotto/analyzer/ingest/collector.hpp"

namespace sotto::analyzer {

/// Where the reports of a study go while its rounds run. A batch has a number within its round; one that was put before is not
/// wanted again.
class RoundSink {
 public:
  RoundSink() = default;
  RoundSink(const RoundSink&) = delete;
  RoundSink& operator=(const RoundSink&) = delete;
  virtual ~RoundSink() = default;

  virtual Result<Done> open_round(std::span<const std::uint8_t> round) = 0;
  /// Of the open round. From any thread.
  [[nodiscard]] virtual Result<bool> has_batch(std::uint64_t number) = 0;
  virtual Result<Done> put_batch(std::uint64_t number, std::span<const std::uint8_t> batch) = 0;
  /// No report of the open round counts from now on; gives what it came to.
  virtual Result<RoundAggregate> close_round() = 0;
  [[nodiscard]] virtual ReasonCounts counts() const = 0;
};

/// Sums only, nothing kept: for simulations whose devices send once, so that there is no duplicate to look for.
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
  std::mutex lock_;  // of sums_
  std::optional<RoundAggregate> empty_, sums_;
};

}  // namespace sotto::analyzer
