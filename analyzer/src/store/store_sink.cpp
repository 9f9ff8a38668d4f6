// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/store/store_sink.hpp"

#include <algorithm>

#include "sotto/analyzer/channel/wire_objects.hpp"

namespace sotto::analyzer {

Result<std::unique_ptr<StoreSink>> StoreSink::open(RunStore& store, const std::optional<MasterKey>& master) {
  Result<std::unique_ptr<Collector>> collector = Collector::open(store.manifest(), master, store.index());
  if (!collector) return collector.error();
  const Result<ReasonCounts> counts = store.counts();
  if (!counts) return counts.error();
  collector.value()->set_counts(counts.value());
  return std::unique_ptr<StoreSink>(new StoreSink(store, std::move(collector).value()));
}

Result<Done> StoreSink::open_round(std::span<const std::uint8_t> bytes) {
  if (const auto added = store_.add_round(bytes); !added) return added.error();
  round_bytes_.assign(bytes.begin(), bytes.end());
  const Result<Round> round = read_round(round_bytes_, "the round");
  if (!round) return round.error();
  round_ = round.value();
  const Result<std::vector<StoredRound>> rounds = store_.rounds();
  if (!rounds) return rounds.error();
  const auto at = std::ranges::find(rounds.value(), round_.number, &StoredRound::number);
  is_closed_ = at != rounds.value().end() && at->is_closed;
  return collector_->open_round(round_bytes_);
}

Result<bool> StoreSink::has_batch(std::uint64_t number) {
  const std::lock_guard hold(lock_);
  if (is_closed_) return true;
  try {
    return store_.has_batch(round_.number, number);
  } catch (const StoreFailure& failure) {
    return failure.error();
  }
}

Result<Done> StoreSink::put_batch(std::uint64_t number, std::span<const std::uint8_t> batch) {
  const std::lock_guard hold(lock_);
  if (const auto added = store_.add_batch(*collector_, round_.number, number, batch); !added) return added.error();
  return Done{};
}

Result<AddedBatch> StoreSink::add_batch(std::span<const std::uint8_t> batch) {
  const std::lock_guard hold(lock_);
  const Result<std::uint64_t> number = store_.next_batch(round_.number);
  if (!number) return number.error();
  return store_.add_batch(*collector_, round_.number, number.value(), batch);
}

Result<std::vector<ReasonCounts>> StoreSink::add_group(std::span<const std::span<const std::uint8_t>> requests) {
  const std::lock_guard hold(lock_);
  return store_.add_group(*collector_, round_.number, requests);
}

std::vector<ReasonCounts> StoreSink::judge(std::span<const std::span<const std::uint8_t>> requests) {
  const std::lock_guard hold(lock_);
  const ReasonCounts before = collector_->counts();
  std::vector<ReasonCounts> each;
  for (const std::span<const std::uint8_t> request : requests) each.push_back(collector_->absorb_batch(request));
  collector_->set_counts(before);
  return each;
}

Result<Done> StoreSink::keep_refusals() {
  const std::lock_guard hold(lock_);
  return store_.keep_refusals(round_.number);
}

Result<Done> StoreSink::forget(std::uint64_t pseudonym) {
  const std::lock_guard hold(lock_);
  if (const auto kept = store_.keep_refusals(round_.number); !kept) return kept;
  if (const auto forgotten = store_.forget(pseudonym); !forgotten) return forgotten;
  const Result<ReasonCounts> counts = store_.counts();
  if (!counts) return counts.error();
  collector_->set_counts(counts.value());
  return Done{};
}

Result<RoundAggregate> StoreSink::close_round() {
  collector_->close_round(round_.number);
  const std::lock_guard hold(lock_);
  if (is_closed_) {
    const Result<std::vector<std::uint8_t>> saved = store_.aggregate(round_.number);
    if (!saved) return saved.error();
    return RoundAggregate::load(collector_->manifest(), round_, saved.value());
  }
  Result<RoundAggregate> found = sums();
  if (!found) return found.error();
  if (const auto closed = store_.close_round(round_.number, found.value().save()); !closed) return closed.error();
  return found;
}

Result<Done> StoreSink::close_round(const RoundAggregate& sums) {
  const std::lock_guard hold(lock_);
  if (const auto closed = store_.close_round(round_.number, sums.save()); !closed) return closed.error();
  collector_->close_round(round_.number);
  return Done{};
}

Result<RoundAggregate> StoreSink::sums() const {
  Result<RoundAggregate> sums = RoundAggregate::open(collector_->manifest(), round_);
  if (!sums) return sums.error();
  const auto read = store_.each_reading(round_.number, [&](const Reading& reading) { sums.value().absorb(reading); });
  if (!read) return read.error();
  return sums;
}

}  // namespace sotto::analyzer
