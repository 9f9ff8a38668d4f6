// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/store/store_index.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "ordered_key.hpp"
#include "row_seal.hpp"
#include "sotto/bytes.hpp"

namespace sotto::analyzer {
namespace {

/// An entry of the column `others`: round and number of an answer.
using Packed = std::array<std::uint8_t, 8>;

Packed pack(const Reading& reading) noexcept {
  Packed packed;
  store_u32(packed.data(), reading.round);
  store_u32(packed.data() + 4, reading.number);
  return packed;
}

std::string seal_name(std::uint16_t round) { return fmt::format("seen/{}", round); }

/// The digest of a newly inserted row, which nothing contradicts yet.
Digest new_row(std::uint16_t slot, const Reading& reading) {
  return RowDigest("seen")
      .add(std::int64_t{slot})
      .add(ordered_key(reading.pseudonym))
      .add(std::int64_t{reading.round})
      .add(std::int64_t{reading.number})
      .add_null()
      .add(std::span<const std::uint8_t>(reading.payload))
      .finish();
}

std::vector<std::uint8_t> copied(std::span<const std::uint8_t> bytes) { return {bytes.begin(), bytes.end()}; }

bool holds(std::span<const std::uint8_t> others, const Packed& answer) {
  for (; others.size() >= answer.size(); others = others.subspan(answer.size())) {
    if (std::ranges::equal(others.first(answer.size()), answer)) return true;
  }
  return false;
}

}  // namespace

Result<std::shared_ptr<SeenTable>> SeenTable::open(std::shared_ptr<Database> database) {
  std::shared_ptr<SeenTable> table(new SeenTable(std::move(database)));
  const auto prepare = [&table](Statement& statement, std::string_view sql) -> Result<Done> {
    Result<Statement> made = table->database_->prepare(sql);
    if (!made) return made.error();
    statement = std::move(made).value();
    return Done{};
  };
  const Result<Done> steps[] = {
      prepare(table->insert_,
              "INSERT INTO seen(slot, pseudonym, round, number, payload) VALUES(?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"),
      prepare(table->select_,
              "SELECT slot, pseudonym, round, number, others, payload FROM seen WHERE slot = ? AND pseudonym = ?"),
      prepare(table->update_, "UPDATE seen SET others = ?3 WHERE slot = ?1 AND pseudonym = ?2"),
  };
  for (const Result<Done>& step : steps) {
    if (!step) return step.error();
  }
  return table;
}

DuplicateIndex::Finding SeenTable::put(std::uint16_t slot, const Reading& reading) {
  const std::lock_guard hold(lock);
  if (slot != 0 && slot != reading.round) {
    throw StoreFailure({"store.failed", "a slot is 0 or the round of its reading", fmt::format("{}", slot),
                        "put readings in as Collector does"});
  }
  const Result<DuplicateIndex::Finding> found = [&]() -> Result<DuplicateIndex::Finding> {
    if (database_->in_transaction()) return put_row(slot, reading);
    Result<Transaction> alone = Transaction::begin(*database_);
    if (!alone) return alone.error();
    forget();
    Result<DuplicateIndex::Finding> made = put_row(slot, reading);
    if (!made) return made;
    if (const auto sealed = seal(); !sealed) return sealed.error();
    if (const auto committed = alone.value().commit(); !committed) return committed.error();
    return made;
  }();
  if (!found) throw StoreFailure(found.error());
  return found.value();
}

Result<DuplicateIndex::Finding> SeenTable::put_row(std::uint16_t slot, const Reading& reading) {
  insert_.bind(0, slot).bind(1, ordered_key(reading.pseudonym)).bind(2, reading.round).bind(3, reading.number);
  if (const auto inserted = insert_.bind(4, reading.payload).run(); !inserted) return inserted.error();
  ++tally.put;
  if (database_->changes() == 1) {
    moved_[reading.round].put(new_row(slot, reading));
    return DuplicateIndex::Finding{};
  }
  Result<DuplicateIndex::Finding> found = find(slot, reading);
  if (found && found.value().taken_back) ++tally.taken_back;
  return found;
}

Result<Done> SeenTable::seal() {
  for (const auto& [round, sum] : moved_) {
    if (const auto moved = move_seal(*database_, seal_name(round), sum); !moved) return moved.error();
  }
  moved_.clear();
  return Done{};
}

void SeenTable::forget() {
  tally = {};
  moved_.clear();
}

/// The rules of MemoryIndex::put() for a pseudonym that is already in the table.
Result<DuplicateIndex::Finding> SeenTable::find(std::uint16_t slot, const Reading& reading) {
  const Rewind rewind(select_);
  const Result<bool> row = select_.bind(0, slot).bind(1, ordered_key(reading.pseudonym)).step();
  if (!row) return row.error();
  const Reading first{static_cast<std::uint16_t>(select_.integer(2)), reading.pseudonym,
                      static_cast<std::uint32_t>(select_.integer(3)), copied(select_.bytes(5))};
  const Digest before = RowDigest("seen").add(select_).finish();
  const std::span<const std::uint8_t> others = select_.bytes(4);
  const bool counted = select_.is_null(4);
  const Packed answer = pack(reading);
  if (first == reading || holds(others, answer)) return DuplicateIndex::Finding{Seen::again, {}};
  if (others.size() < k_others_max * answer.size()) {
    std::vector<std::uint8_t> longer(others.begin(), others.end());
    longer.insert(longer.end(), answer.begin(), answer.end());
    update_.bind(0, slot).bind(1, ordered_key(reading.pseudonym)).bind(2, longer);
    if (const auto updated = update_.run(); !updated) return updated.error();
    SealSum& moved = moved_[first.round];
    moved.take(before);
    moved.put(RowDigest("seen")
                  .add(std::int64_t{slot})
                  .add(ordered_key(reading.pseudonym))
                  .add(std::int64_t{first.round})
                  .add(std::int64_t{first.number})
                  .add(std::span<const std::uint8_t>(longer))
                  .add(std::span<const std::uint8_t>(first.payload))
                  .finish());
  }
  if (!counted) return DuplicateIndex::Finding{Seen::contradicted, {}};
  return DuplicateIndex::Finding{Seen::contradicted, first};
}

Result<Done> SeenTable::each(std::uint16_t round, const std::function<void(const Reading&)>& visit) const {
  const std::lock_guard hold(lock);
  const Result<Snapshot> snapshot = Snapshot::begin(*database_);
  if (!snapshot) return snapshot.error();
  // SQLite merges the two index scans as it goes; neither is sorted in memory.
  Result<Statement> query = database_->prepare(
      "SELECT slot, pseudonym, round, number, others, payload FROM seen WHERE slot = 0 AND round = ?1 "
      "UNION ALL SELECT slot, pseudonym, round, number, others, payload FROM seen WHERE slot = ?1 AND ?1 > 0 AND round "
      "= ?1 "
      "ORDER BY pseudonym");
  if (!query) return query.error();
  Statement& rows = query.value().bind(0, round);
  SealSum sum;
  while (true) {
    const Result<bool> row = rows.step();
    if (!row) return row.error();
    if (!row.value()) break;
    sum.put(RowDigest("seen").add(rows).finish());
    if (!rows.is_null(4)) continue;  // contradicted
    visit({round, number_of_key(rows.integer(1)), static_cast<std::uint32_t>(rows.integer(3)), copied(rows.bytes(5))});
  }
  Result<SealSum> stored = stored_seal(*database_, seal_name(round));
  if (!stored) return stored.error();
  if (const auto moved = moved_.find(round); moved != moved_.end()) stored.value().add(moved->second);
  return same_seal(sum, stored.value(), seal_name(round));
}

StoreIndex::Finding StoreIndex::put(std::uint16_t slot, const Reading& reading) { return table_->put(slot, reading); }

void StoreIndex::each(std::uint16_t round, const std::function<void(const Reading&)>& visit) const {
  if (const auto walked = table_->each(round, visit); !walked) throw StoreFailure(walked.error());
}

}  // namespace sotto::analyzer
