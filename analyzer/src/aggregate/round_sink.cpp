// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/round_sink.hpp"

#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/ingest/batch.hpp"

namespace sotto::analyzer {
namespace {

/// A duplicate index that stores nothing: every reading counts as the first one.
class NoIndex final : public DuplicateIndex {
 public:
  [[nodiscard]] Finding put(std::uint16_t, const Reading&) override { return {}; }
  void each(std::uint16_t, const std::function<void(const Reading&)>&) const override {}
  void freeze(std::uint16_t) override {}
};

}  // namespace

Result<std::unique_ptr<SummingSink>> SummingSink::open(std::span<const std::uint8_t> manifest,
                                                       const std::optional<MasterKey>& master) {
  Result<std::unique_ptr<Collector>> collector =
      Collector::open({manifest.begin(), manifest.end()}, master, std::make_unique<NoIndex>());
  if (!collector) return collector.error();
  return std::unique_ptr<SummingSink>(new SummingSink(std::move(collector).value()));
}

Result<Done> SummingSink::open_round(std::span<const std::uint8_t> bytes) {
  round_bytes_.assign(bytes.begin(), bytes.end());
  if (const auto opened = collector_->open_round(round_bytes_); !opened) return opened.error();
  const Result<Round> round = read_round(round_bytes_, "the round");
  if (!round) return round.error();
  const Result<RoundAggregate> sums = RoundAggregate::open(collector_->manifest(), round.value());
  if (!sums) return sums.error();
  round_ = round.value().number;
  empty_ = sums_ = sums.value();
  return Done{};
}

Result<Done> SummingSink::put_batch(std::uint64_t, std::span<const std::uint8_t> batch) {
  RoundAggregate part = *empty_;
  BatchReader reader(batch);
  while (const auto report = reader.next()) {
    const Absorbed absorbed = collector_->absorb(*report);
    if (absorbed.accepted) part.absorb(*absorbed.accepted);
  }
  const std::lock_guard hold(lock_);
  return sums_->merge(part);
}

Result<RoundAggregate> SummingSink::close_round() {
  collector_->close_round(round_);
  return *sums_;
}

}  // namespace sotto::analyzer
