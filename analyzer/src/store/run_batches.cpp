// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>

#include <fmt/format.h>

#include "batch_rows.hpp"
#include "ordered_key.hpp"
#include "run_pieces.hpp"
#include "sotto/analyzer/ingest/batch.hpp"
#include "sotto/analyzer/store/row_seal.hpp"
#include "sotto/analyzer/store/run_store.hpp"

// The part of RunStore that stores batches of reports and their counts, and check().
namespace sotto::analyzer {
namespace {

/// A stored batch, without its bytes.
struct Stored {
  std::int64_t id = 0;
  Digest digest{};
};

Result<std::optional<Stored>> stored_batch(const Database& database, std::uint16_t round, std::uint64_t number) {
  Result<Statement> query = database.prepare("SELECT id, digest FROM batches WHERE round = ? AND number = ?");
  if (!query) return query.error();
  const Result<bool> row = query.value().bind(0, round).bind(1, ordered_key(number)).step();
  if (!row) return row.error();
  if (!row.value()) return std::optional<Stored>{};
  Stored stored{query.value().integer(0), {}};
  const std::span<const std::uint8_t> digest = query.value().bytes(1);
  std::copy_n(digest.begin(), std::min(digest.size(), stored.digest.size()), stored.digest.begin());
  return std::optional(stored);
}

/// Adds up rows of (reason, number).
Result<ReasonCounts> counted(Statement& query) {
  ReasonCounts counts;
  while (true) {
    const Result<bool> row = query.step();
    if (!row) return row.error();
    if (!row.value()) return counts;
    const std::int64_t reason = query.integer(0);
    if (reason < 0 || reason >= static_cast<std::int64_t>(k_reasons)) {
      return Error{"store.damaged", "the store counts reports under an unknown reason", fmt::format("{}", reason),
                   "restore it from a backup"};
    }
    counts.of[static_cast<std::size_t>(reason)] += static_cast<std::uint64_t>(query.integer(1));
  }
}

}  // namespace

Result<AddedBatch> RunStore::add_batch(Collector& collector, std::uint16_t round, std::uint64_t number,
                                       std::span<const std::uint8_t> batch) {
  const std::lock_guard hold(seen_->lock);
  if (batch.size() > k_batch_max_bytes) {
    return Error{"store.batch_size", fmt::format("a batch has at most {} bytes", k_batch_max_bytes),
                 fmt::format("{} bytes", batch.size()), "cut it between two reports"};
  }
  if (collector.digest() != digest_) return other_study(batch_name(round, number));
  const ReasonCounts before = collector.counts();
  Result<AddedBatch> added = [&]() -> Result<AddedBatch> {
    try {
      return store_batch(collector, round, number, batch);
    } catch (const StoreFailure& failure) {
      return failure.error();
    }
  }();
  if (!added) {
    collector.set_counts(before);
    seen_->forget();  // rolled back with the transaction
  }
  return added;
}

Result<AddedBatch> RunStore::store_batch(Collector& collector, std::uint16_t round, std::uint64_t number,
                                         std::span<const std::uint8_t> batch) {
  Result<Transaction> transaction = Transaction::begin(*database_);
  if (!transaction) return transaction.error();
  const Digest digest = digest_of(batch);
  const Result<std::optional<Stored>> there = stored_batch(*database_, round, number);
  if (!there) return there.error();
  if (there.value()) {
    if (there.value()->digest != digest) {
      return Error{"store.other_batch", "other bytes are stored under this number", batch_name(round, number),
                   "number batches so that the same number is the same batch"};
    }
    Result<Statement> query = database_->prepare("SELECT reason, reports FROM fates WHERE batch = ?");
    if (!query) return query.error();
    const Result<ReasonCounts> counts = counted(query.value().bind(0, there.value()->id));
    if (!counts) return counts.error();
    return AddedBatch{counts.value(), true};
  }
  const Result<bool> closed = is_closed(round);
  if (!closed) return closed.error();
  if (closed.value()) return closed_round(batch_name(round, number));
  if (const auto begun = seen_->begin(); !begun) return begun.error();
  const ReasonCounts counts = collector.absorb_batch(batch);
  if (seen_->tally.put != counts[Reason::accepted] + counts[Reason::duplicate] + counts[Reason::conflict])
    return other_index(batch_name(round, number));
  const BatchRow row{round, number, seen_->tally.taken_back, batch, seen_->batch_readings(), counts};
  if (const auto done = put_batch_row(*database_, row); !done) return done.error();
  if (const auto done = seen_->seal(); !done) return done.error();
  if (const auto done = transaction.value().commit(); !done) return done.error();
  seen_->keep();
  unsettled_ = true;
  return AddedBatch{counts, false};
}

bool RunStore::has_batch(std::uint16_t round, std::uint64_t number) const {
  const std::lock_guard hold(seen_->lock);
  const Result<std::optional<Stored>> there = stored_batch(*database_, round, number);
  if (!there) throw StoreFailure(there.error());
  return there.value().has_value();
}

Result<Done> RunStore::each_batch(
    std::uint16_t round,
    const std::function<void(std::uint64_t number, std::span<const std::uint8_t> batch)>& visit) const {
  const std::lock_guard hold(seen_->lock);
  Result<Statement> query =
      database_->prepare("SELECT number, digest, bytes FROM batches WHERE round = ? ORDER BY number");
  if (!query) return query.error();
  query.value().bind(0, round);
  while (true) {
    const Result<bool> row = query.value().step();
    if (!row) return row.error();
    if (!row.value()) return Done{};
    const std::uint64_t number = number_of_key(query.value().integer(0));
    const std::span<const std::uint8_t> bytes = query.value().bytes(2);
    if (const auto same = same_digest(bytes, query.value().bytes(1), batch_name(round, number)); !same)
      return same.error();
    visit(number, bytes);
  }
}

Result<ReasonCounts> RunStore::counts() const {
  const std::lock_guard hold(seen_->lock);
  const Result<Snapshot> snapshot = Snapshot::begin(*database_);
  if (!snapshot) return snapshot.error();
  if (const auto sealed = check_count_seals(*database_); !sealed) return sealed.error();
  Result<Statement> query = database_->prepare(
      "SELECT reason, sum(reports) FROM fates GROUP BY reason "
      "UNION ALL SELECT ?1, sum(taken_back) FROM batches UNION ALL SELECT ?2, -sum(taken_back) FROM batches");
  if (!query) return query.error();
  query.value().bind(0, static_cast<std::int64_t>(Reason::conflict));
  return counted(query.value().bind(1, static_cast<std::int64_t>(Reason::accepted)));
}

Result<ReasonCounts> RunStore::counts(std::uint16_t round) const {
  const std::lock_guard hold(seen_->lock);
  const Result<Snapshot> snapshot = Snapshot::begin(*database_);
  if (!snapshot) return snapshot.error();
  if (const auto sealed = check_count_seals(*database_); !sealed) return sealed.error();
  Result<Statement> query = database_->prepare(
      "SELECT reason, sum(reports) FROM fates JOIN batches ON batches.id = fates.batch WHERE round = ?3 GROUP BY "
      "reason "
      "UNION ALL SELECT ?1, sum(taken_back) FROM batches WHERE round = ?3 "
      "UNION ALL SELECT ?2, -sum(taken_back) FROM batches WHERE round = ?3");
  if (!query) return query.error();
  query.value().bind(0, static_cast<std::int64_t>(Reason::conflict));
  return counted(query.value().bind(1, static_cast<std::int64_t>(Reason::accepted)).bind(2, round));
}

Result<std::uint64_t> RunStore::next_batch(std::uint16_t round) const {
  const std::lock_guard hold(seen_->lock);
  Result<Statement> query =
      database_->prepare("SELECT number FROM batches WHERE round = ? ORDER BY number DESC LIMIT 1");
  if (!query) return query.error();
  const Result<bool> row = query.value().bind(0, round).step();
  if (!row) return row.error();
  return row.value() ? number_of_key(query.value().integer(0)) + 1 : std::uint64_t{0};
}

Result<Done> RunStore::check() const {
  const std::lock_guard hold(seen_->lock);
  const Result<Snapshot> snapshot = Snapshot::begin(*database_);
  if (!snapshot) return snapshot.error();
  // Rows are checked first, because a failing disk is then reported as such, whereas SQLite's page check would report
  // it as damage.
  if (const auto sealed = check_seals(*database_); !sealed) return sealed.error();
  Result<Statement> pages = database_->prepare("PRAGMA integrity_check(1)");
  if (!pages) return pages.error();
  const Result<bool> row = pages.value().step();
  if (!row) return row.error();
  const std::span<const std::uint8_t> said = pages.value().bytes(0);
  const auto damaged = [](std::string what, std::string value) {
    return Error{"store.damaged", std::move(what), std::move(value),
                 "restore it from a backup, or collect into a new run"};
  };
  if (!std::ranges::equal(said, std::string_view("ok")))
    return damaged("the store is not as it was written", std::string(said.begin(), said.end()));
  pages.value().reset();
  const Result<std::vector<StoredRound>> every = rounds();
  if (!every) return every.error();
  for (const StoredRound& round : every.value()) {
    if (const auto read = each_batch(round.number, [](std::uint64_t, std::span<const std::uint8_t>) {}); !read)
      return read.error();
    if (!round.is_closed) continue;
    if (const auto read = aggregate(round.number); !read) return read.error();
  }
  if (const auto read = piece(*database_, "model"); !read) return read.error();
  const Result<ReasonCounts> totals = counts();
  if (!totals) return totals.error();
  std::uint64_t kept = 0;
  for (const StoredRound& round : every.value()) {
    if (const auto read = seen_->each(round.number, [&kept](const Reading&) { ++kept; }); !read) return read.error();
  }
  if (kept != totals.value()[Reason::accepted]) {
    return damaged("the store holds another number of readings than were accepted",
                   fmt::format("{} of {}", kept, totals.value()[Reason::accepted]));
  }
  return Done{};
}

}  // namespace sotto::analyzer
