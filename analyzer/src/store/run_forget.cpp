// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>

#include <fmt/format.h>

#include "ordered_key.hpp"
#include "run_pieces.hpp"
#include "sotto/analyzer/channel/describe.hpp"
#include "sotto/analyzer/ingest/batch.hpp"
#include "sotto/analyzer/store/row_seal.hpp"
#include "sotto/analyzer/store/run_store.hpp"
#include "sotto/wire/report.hpp"

// The part of RunStore that removes what is stored of one pseudonym.
namespace sotto::analyzer {
namespace {

/// A row of `batches` without the reports and readings of the pseudonym; what changed in it.
struct Thinned {
  std::int64_t id = 0;
  Digest row_before{};
  std::int64_t round = 0, number = 0, taken_back = 0;
  std::vector<std::uint8_t> bytes, readings;
  bool changed = false;
  std::uint64_t readings_removed = 0;
};

Result<Thinned> thinned(const Statement& row, std::uint64_t pseudonym) {
  Thinned out{row.integer(0),
              RowDigest("batches").add(row, 6).finish(),
              row.integer(1),
              row.integer(2),
              row.integer(3),
              {},
              {},
              false,
              0};
  BatchReader reader(row.bytes(7));
  while (const auto report = reader.next()) {
    ReportHeader header;
    if (decode_header(*report, header) == Status::ok && header.pseudonym == pseudonym) {
      out.changed = true;
    } else {
      append_report(out.bytes, *report);
    }
  }
  ReadingWriter writer;
  const auto read = each_stored_reading(row.bytes(6), [&](std::uint16_t slot, const Reading& reading) {
    if (reading.pseudonym == pseudonym) {
      out.changed = true;
      ++out.readings_removed;
    } else {
      writer.add(slot, reading);
    }
  });
  if (!read) return read.error();
  out.readings = writer.bytes();
  return out;
}

Result<Done> replace_row(const Database& database, const Thinned& row) {
  const Digest digest = digest_of(row.bytes), readings_digest = digest_of(row.readings);
  Result<Statement> update =
      database.prepare("UPDATE batches SET digest = ?2, readings_digest = ?3, readings = ?4, bytes = ?5 WHERE id = ?1");
  if (!update) return update.error();
  update.value().bind(0, row.id).bind(1, digest).bind(2, readings_digest).bind(3, row.readings).bind(4, row.bytes);
  if (const auto done = update.value().run(); !done) return done;
  SealSum moved;
  moved.take(row.row_before);
  moved.put(RowDigest("batches")
                .add(row.id)
                .add(row.round)
                .add(row.number)
                .add(row.taken_back)
                .add(std::span<const std::uint8_t>(digest))
                .add(std::span<const std::uint8_t>(readings_digest))
                .finish());
  return move_seal(database, "batches", moved);
}

/// One accepted report less in the counts of a batch.
Result<Done> uncount(const Database& database, std::int64_t batch) {
  const auto accepted = static_cast<std::int64_t>(Reason::accepted);
  Result<Statement> query = database.prepare("SELECT reports FROM fates WHERE batch = ? AND reason = ?");
  if (!query) return query.error();
  const Result<bool> row = query.value().bind(0, batch).bind(1, accepted).step();
  if (!row) return row.error();
  const std::int64_t before = row.value() ? query.value().integer(0) : 0;
  query.value().reset();
  if (before < 1) {
    return Error{"store.damaged", "a batch holds a reading and counts none", fmt::format("row {}", batch),
                 "restore it from a backup, or collect into a new run"};
  }
  Result<Statement> update = database.prepare("UPDATE fates SET reports = ?3 WHERE batch = ?1 AND reason = ?2");
  if (!update) return update.error();
  if (const auto done = update.value().bind(0, batch).bind(1, accepted).bind(2, before - 1).run(); !done) return done;
  SealSum moved;
  moved.take(RowDigest("fates").add(batch).add(accepted).add(before).finish());
  moved.put(RowDigest("fates").add(batch).add(accepted).add(before - 1).finish());
  return move_seal(database, "fates", moved);
}

Result<Done> remove_contradictions(const Database& database, const HeldReading& held) {
  Result<Statement> query = database.prepare(
      "SELECT slot, pseudonym, round, number, others, payload FROM seen WHERE slot = ? AND pseudonym = ?");
  if (!query) return query.error();
  const Result<bool> row = query.value().bind(0, held.slot()).bind(1, ordered_key(held.pseudonym)).step();
  if (!row) return row.error();
  if (!row.value()) return Done{};
  SealSum moved;
  moved.take(RowDigest("seen").add(query.value()).finish());
  query.value().reset();
  Result<Statement> remove = database.prepare("DELETE FROM seen WHERE slot = ? AND pseudonym = ?");
  if (!remove) return remove.error();
  remove.value().bind(0, held.slot()).bind(1, ordered_key(held.pseudonym));
  if (const auto done = remove.value().run(); !done) return done;
  return move_seal(database, fmt::format("seen/{}", held.round), moved);
}

}  // namespace

Result<Done> RunStore::forget(std::uint64_t pseudonym) {
  const std::lock_guard hold(seen_->lock);
  if (const auto set = database_->run("PRAGMA secure_delete = ON"); !set) return set;
  Result<Transaction> transaction = Transaction::begin(*database_);
  if (!transaction) return transaction.error();
  const Result<std::vector<StoredRound>> every = rounds();
  if (!every) return every.error();
  const Error closed{"store.round_closed", "this pseudonym answered a round that is closed, and its sum is told",
                     pseudonym_text(pseudonym),
                     "what was published cannot be taken back; what it tells is bounded by epsilon"};
  std::vector<HeldReading> found;
  bool is_closed = false;
  for (const StoredRound& round : every.value()) {
    for (const std::uint16_t slot : {std::uint16_t{0}, round.number}) {
      const Result<const HeldReading*> held = seen_->find_held(slot, pseudonym);
      if (!held) return held.error();
      if (held.value() == nullptr || held.value()->round != round.number) continue;
      if (round.is_closed) {
        is_closed = true;
      } else {
        found.push_back(*held.value());
      }
    }
  }
  if (found.empty()) {
    if (is_closed) return closed;
    return Error{"store.no_pseudonym", "nothing is stored of this pseudonym", pseudonym_text(pseudonym),
                 "write it as the device has it: 16 hexadecimal digits"};
  }
  for (const HeldReading& held : found) {
    if (const auto done = forget_in_round(held); !done) return done;
  }
  if (const auto done = transaction.value().commit(); !done) return done;
  seen_->unload();
  unsettled_ = true;
  return settle();  // the log still has the old pages
}

Result<Done> RunStore::forget_in_round(const HeldReading& held) {
  std::vector<Thinned> changed;
  {
    Result<Statement> query = database_->prepare(
        "SELECT id, round, number, taken_back, digest, readings_digest, readings, bytes FROM batches WHERE round = ?");
    if (!query) return query.error();
    query.value().bind(0, held.round);
    for (;;) {
      const Result<bool> row = query.value().step();
      if (!row) return row.error();
      if (!row.value()) break;
      Result<Thinned> thin = thinned(query.value(), held.pseudonym);
      if (!thin) return thin.error();
      if (thin.value().changed) changed.push_back(std::move(thin).value());
    }
  }
  for (const Thinned& row : changed) {
    if (const auto done = replace_row(*database_, row); !done) return done;
    if (row.readings_removed == 0 || held.state != HeldReading::State::counts) continue;
    if (const auto done = uncount(*database_, row.id); !done) return done;
  }
  return remove_contradictions(*database_, held);
}

}  // namespace sotto::analyzer
