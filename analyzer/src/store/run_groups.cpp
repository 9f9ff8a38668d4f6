// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>

#include <fmt/format.h>

#include "batch_rows.hpp"
#include "sotto/analyzer/ingest/batch.hpp"
#include "sotto/analyzer/store/run_store.hpp"
#include "sotto/wire/report.hpp"

// The part of RunStore that stores the requests of a server: many of them in one transaction.
namespace sotto::analyzer {
namespace {

using View = std::span<const std::uint8_t>;

std::string group_name(std::uint16_t round) { return fmt::format("requests of round {}", round); }

void add_counts(ReasonCounts& sum, const ReasonCounts& more) {
  for (std::size_t i = 0; i < k_reasons; ++i) sum.of[i] += more.of[i];
}

/// Judges one request, and keeps a view of each report that is to be stored.
ReasonCounts judged(Collector& collector, View request, std::vector<View>& kept) {
  ReasonCounts counts;
  const auto note = [&counts](Reason reason) { ++counts.of[static_cast<std::size_t>(reason)]; };
  BatchReader reader(request);
  std::vector<View> reports;
  while (const auto report = reader.next()) reports.push_back(*report);
  collector.absorb_all(reports, [&](std::size_t at, Reason reason) {
    note(reason);
    if (reason == Reason::accepted || reason == Reason::conflict) kept.push_back(reports[at]);
  });
  if (reader.torn()) note(collector.count_malformed());
  return counts;
}

/// Sorts the reports, so that their order of arrival is not stored: by their pseudonyms, and those of one pseudonym by
/// their bytes.
void forget_order(std::vector<View>& reports) {
  std::vector<std::pair<std::uint64_t, View>> named;
  named.reserve(reports.size());
  for (const View report : reports) {
    ReportHeader header;
    (void)decode_header(report, header);  // it was judged before
    named.emplace_back(header.pseudonym, report);
  }
  std::ranges::sort(named, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : std::ranges::lexicographical_compare(a.second, b.second);
  });
  std::ranges::transform(named, reports.begin(), [](const auto& one) { return one.second; });
}

/// The reports as batches of the usual size.
std::vector<std::vector<std::uint8_t>> packed(std::span<const View> reports) {
  constexpr std::size_t k_length_bytes = 2;
  std::vector<std::vector<std::uint8_t>> rows(1);
  for (const View report : reports) {
    if (rows.back().size() + k_length_bytes + report.size() > k_batch_max_bytes) rows.emplace_back();
    append_report(rows.back(), report);
  }
  return rows;
}

}  // namespace

Result<Done> RunStore::takes_batches(std::uint16_t round, const Collector& collector) const {
  if (collector.digest() != digest_) return other_study(group_name(round));
  const Result<bool> closed = is_closed(round);
  if (!closed) return closed.error();
  if (closed.value()) return closed_round(group_name(round));
  return Done{};
}

Result<std::vector<ReasonCounts>> RunStore::add_group(Collector& collector, std::uint16_t round,
                                                      std::span<const View> requests) {
  const std::lock_guard hold(seen_->lock);
  for (const View request : requests) {
    if (request.size() <= k_batch_max_bytes) continue;
    return Error{"store.batch_size", fmt::format("a batch has at most {} bytes", k_batch_max_bytes),
                 fmt::format("{} bytes", request.size()), "cut it between two reports"};
  }
  const ReasonCounts before = collector.counts(), refused = refused_;
  Result<std::vector<ReasonCounts>> added = [&]() -> Result<std::vector<ReasonCounts>> {
    try {
      return store_group(collector, round, requests);
    } catch (const StoreFailure& failure) {
      return failure.error();
    }
  }();
  if (!added) {
    collector.set_counts(before);
    refused_ = refused;
    seen_->forget();
  }
  return added;
}

Result<std::vector<ReasonCounts>> RunStore::store_group(Collector& collector, std::uint16_t round,
                                                        std::span<const View> requests) {
  Result<Transaction> transaction = Transaction::begin(*database_);
  if (!transaction) return transaction.error();
  if (const auto takes = takes_batches(round, collector); !takes) return takes.error();
  if (const auto begun = seen_->begin(); !begun) return begun.error();
  std::vector<ReasonCounts> each;
  std::vector<View> kept;
  ReasonCounts sum;
  for (const View request : requests) {
    each.push_back(judged(collector, request, kept));
    add_counts(sum, each.back());
  }
  if (seen_->tally.put != sum[Reason::accepted] + sum[Reason::duplicate] + sum[Reason::conflict])
    return other_index(group_name(round));
  add_counts(refused_, sum);
  if (kept.empty()) {
    seen_->keep();  // nothing but repetitions and refusals
    return each;
  }
  forget_order(kept);
  seen_->forget_order();
  const std::vector<std::vector<std::uint8_t>> rows = packed(kept);
  const Result<std::uint64_t> next = next_batch(round);
  if (!next) return next.error();
  // The first row carries the counts and readings of all.
  for (std::size_t i = 0; i < rows.size(); ++i) {
    BatchRow row{round, next.value() + i, 0, rows[i], {}, {}};
    if (i == 0) {
      row.taken_back = seen_->tally.taken_back;
      row.readings = seen_->batch_readings();
      row.counts = refused_;
    }
    if (const auto done = put_batch_row(*database_, row); !done) return done.error();
  }
  if (const auto done = seen_->seal(); !done) return done.error();
  if (const auto done = transaction.value().commit(); !done) return done.error();
  seen_->keep();
  refused_ = {};
  unsettled_ = true;
  return each;
}

Result<Done> RunStore::keep_refusals(std::uint16_t round) {
  const std::lock_guard hold(seen_->lock);
  if (refused_.total() == 0) return Done{};
  Result<Transaction> transaction = Transaction::begin(*database_);
  if (!transaction) return transaction.error();
  const Result<std::uint64_t> next = next_batch(round);
  if (!next) return next.error();
  if (const auto done = put_batch_row(*database_, {round, next.value(), 0, {}, {}, refused_}); !done) return done;
  if (const auto done = transaction.value().commit(); !done) return done;
  refused_ = {};
  unsettled_ = true;
  return Done{};
}

}  // namespace sotto::analyzer
