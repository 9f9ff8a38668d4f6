// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/store/store_index.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "ordered_key.hpp"
#include "run_pieces.hpp"
#include "sotto/analyzer/store/row_seal.hpp"
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

/// The digest of a row of `seen`.
Digest seen_row(std::uint16_t slot, const Reading& first, std::span<const std::uint8_t> others) {
  return RowDigest("seen")
      .add(std::int64_t{slot})
      .add(ordered_key(first.pseudonym))
      .add(std::int64_t{first.round})
      .add(std::int64_t{first.number})
      .add(others)
      .add(std::span<const std::uint8_t>(first.payload))
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
              "INSERT INTO seen(slot, pseudonym, round, number, others, payload) VALUES(?, ?, ?, ?, ?, ?)"),
      prepare(table->select_,
              "SELECT slot, pseudonym, round, number, others, payload FROM seen WHERE slot = ? AND pseudonym = ?"),
      prepare(table->update_, "UPDATE seen SET others = ?3 WHERE slot = ?1 AND pseudonym = ?2"),
  };
  for (const Result<Done>& step : steps) {
    if (!step) return step.error();
  }
  return table;
}

Result<Done> SeenTable::load() const {
  const Result<std::int64_t> version = database_->number("PRAGMA data_version");
  if (!version) return version.error();
  if (loaded_ && version.value() == version_) return Done{};
  loaded_ = false;
  held_.clear();
  payloads_.clear();
  payload_bytes_ = 0;
  if (const auto read = load_batches(); !read) return read;
  if (const auto read = load_contradicted(); !read) return read;
  Result<Statement> closed = database_->prepare("SELECT number FROM rounds WHERE is_closed = 1");
  if (!closed) return closed.error();
  for (;;) {
    const Result<bool> row = closed.value().step();
    if (!row) return row.error();
    if (!row.value()) break;
    frozen_.insert(static_cast<std::uint16_t>(closed.value().integer(0)));
  }
  version_ = version.value();
  loaded_ = true;
  return Done{};
}

Result<Done> SeenTable::load_batches() const {
  Result<Statement> query = database_->prepare(
      "SELECT id, round, number, taken_back, digest, readings_digest, readings FROM batches ORDER BY id");
  if (!query) return query.error();
  Statement& rows = query.value();
  SealSum sum;
  bool is_single = true;
  for (;;) {
    const Result<bool> row = rows.step();
    if (!row) return row.error();
    if (!row.value()) break;
    sum.put(RowDigest("batches").add(rows, 6).finish());
    const std::span<const std::uint8_t> blob = rows.bytes(6);
    const std::string name = fmt::format("readings of row {}", rows.integer(0));
    if (const auto same = same_digest(blob, rows.bytes(5), name); !same) return same;
    const auto read = each_stored_reading(blob, [&](std::uint16_t slot, const Reading& reading) {
      if (held_.find(slot, reading.pseudonym) != nullptr) {
        is_single = false;
        return;
      }
      held_.insert({reading.pseudonym, reading.number, reading.round, slot != 0, HeldReading::State::counts});
      keep_payload(slot, reading);
    });
    if (!read) return read;
  }
  if (!is_single) {
    return Error{"store.damaged", "two stored readings have one pseudonym", "",
                 "restore it from a backup, or collect into a new run"};
  }
  const Result<SealSum> stored = stored_seal(*database_, "batches");
  if (!stored) return stored.error();
  return same_seal(sum, stored.value(), "batches");
}

Result<Done> SeenTable::load_contradicted() const {
  Result<Statement> query = database_->prepare("SELECT slot, pseudonym, round, number, others, payload FROM seen");
  if (!query) return query.error();
  Statement& rows = query.value();
  std::map<std::uint16_t, SealSum> sums;
  for (;;) {
    const Result<bool> row = rows.step();
    if (!row) return row.error();
    if (!row.value()) break;
    sums[static_cast<std::uint16_t>(rows.integer(2))].put(RowDigest("seen").add(rows).finish());
    HeldReading* const held = held_.find(static_cast<std::uint16_t>(rows.integer(0)), number_of_key(rows.integer(1)));
    if (held == nullptr) {
      return Error{"store.damaged", "a contradicted pseudonym has no reading", "",
                   "restore it from a backup, or collect into a new run"};
    }
    held->state = HeldReading::State::contradicted;
  }
  Result<Statement> rounds = database_->prepare("SELECT number FROM rounds");
  if (!rounds) return rounds.error();
  for (;;) {
    const Result<bool> row = rounds.value().step();
    if (!row) return row.error();
    if (!row.value()) break;
    sums.try_emplace(static_cast<std::uint16_t>(rounds.value().integer(0)));
  }
  for (const auto& [round, sum] : sums) {
    const Result<SealSum> stored = stored_seal(*database_, seal_name(round));
    if (!stored) return stored.error();
    if (const auto same = same_seal(sum, stored.value(), seal_name(round)); !same) return same;
  }
  return Done{};
}

Result<Done> SeenTable::begin() {
  forget();
  return load();
}

DuplicateIndex::Finding SeenTable::put(std::uint16_t slot, const Reading& reading) {
  const std::lock_guard hold(lock);
  if (slot != 0 && slot != reading.round) {
    throw StoreFailure({"store.failed", "a slot is 0 or the round of its reading", fmt::format("{}", slot),
                        "put readings in as Collector does"});
  }
  if (!database_->in_transaction()) {
    throw StoreFailure({"store.failed", "a reading is stored with its batch", fmt::format("round {}", reading.round),
                        "put reports in by RunStore::add_batch()"});
  }
  if (!loaded_) {
    if (const auto read = load(); !read) throw StoreFailure(read.error());
  }
  const Result<DuplicateIndex::Finding> found = put_row(slot, reading);
  if (!found) throw StoreFailure(found.error());
  return found.value();
}

/// The rules of MemoryIndex::put().
Result<DuplicateIndex::Finding> SeenTable::put_row(std::uint16_t slot, const Reading& reading) {
  ++tally.put;
  HeldReading* const held = held_.find(slot, reading.pseudonym);
  if (held == nullptr) {
    held_.insert({reading.pseudonym, reading.number, reading.round, slot != 0, HeldReading::State::counts});
    keep_payload(slot, reading);
    inserted_.emplace_back(slot, reading.pseudonym);
    batch_.add(slot, reading);
    return DuplicateIndex::Finding{};
  }
  if (held->round == reading.round && held->number == reading.number && whole(*held) == reading)
    return DuplicateIndex::Finding{Seen::again, {}};
  if (held->state == HeldReading::State::contradicted) return contradict_again(slot, reading);
  if (frozen_.contains(held->round)) return DuplicateIndex::Finding{Seen::contradicted, {}};
  Result<DuplicateIndex::Finding> found = contradict(slot, *held, reading);
  if (found) ++tally.taken_back;
  return found;
}

void SeenTable::keep_payload(std::uint16_t slot, const Reading& reading) const {
  if (reading.payload.empty()) return;
  payload_bytes_ += payloads_.emplace(Name(slot, reading.pseudonym), reading.payload).first->second.capacity();
}

Reading SeenTable::whole(const HeldReading& held) const {
  Reading reading{held.round, held.pseudonym, held.number, {}};
  if (payloads_.empty()) return reading;
  const auto payload = payloads_.find({held.slot(), held.pseudonym});
  if (payload != payloads_.end()) reading.payload = payload->second;
  return reading;
}

Result<DuplicateIndex::Finding> SeenTable::contradict(std::uint16_t slot, HeldReading& held, const Reading& reading) {
  const Reading first = whole(held);
  const Packed answer = pack(reading);
  insert_.bind(0, slot).bind(1, ordered_key(first.pseudonym)).bind(2, first.round).bind(3, first.number);
  if (const auto inserted = insert_.bind(4, answer).bind(5, first.payload).run(); !inserted) return inserted.error();
  moved_[first.round].put(seen_row(slot, first, answer));
  held.state = HeldReading::State::contradicted;
  contradicted_.emplace_back(slot, first.pseudonym);
  return DuplicateIndex::Finding{Seen::contradicted, first};
}

Result<DuplicateIndex::Finding> SeenTable::contradict_again(std::uint16_t slot, const Reading& reading) {
  const Rewind rewind(select_);
  const Result<bool> row = select_.bind(0, slot).bind(1, ordered_key(reading.pseudonym)).step();
  if (!row) return row.error();
  const Reading first{static_cast<std::uint16_t>(select_.integer(2)), reading.pseudonym,
                      static_cast<std::uint32_t>(select_.integer(3)), copied(select_.bytes(5))};
  const std::span<const std::uint8_t> others = select_.bytes(4);
  const Packed answer = pack(reading);
  if (holds(others, answer)) return DuplicateIndex::Finding{Seen::again, {}};
  if (others.size() >= k_others_max * answer.size()) return DuplicateIndex::Finding{Seen::contradicted, {}};
  SealSum& moved = moved_[first.round];
  moved.take(RowDigest("seen").add(select_).finish());
  std::vector<std::uint8_t> longer(others.begin(), others.end());
  longer.insert(longer.end(), answer.begin(), answer.end());
  update_.bind(0, slot).bind(1, ordered_key(reading.pseudonym)).bind(2, longer);
  if (const auto updated = update_.run(); !updated) return updated.error();
  moved.put(seen_row(slot, first, longer));
  return DuplicateIndex::Finding{Seen::contradicted, {}};
}

void SeenTable::freeze(std::uint16_t round) {
  const std::lock_guard hold(lock);
  frozen_.insert(round);
}

Result<Done> SeenTable::seal() {
  for (const auto& [round, sum] : moved_) {
    if (const auto moved = move_seal(*database_, seal_name(round), sum); !moved) return moved.error();
  }
  moved_.clear();
  return Done{};
}

void SeenTable::keep() noexcept {
  tally = {};
  batch_.clear();
  inserted_.clear();
  contradicted_.clear();
}

void SeenTable::forget() {
  for (const auto& [slot, pseudonym] : contradicted_) {
    if (HeldReading* const held = held_.find(slot, pseudonym)) held->state = HeldReading::State::counts;
  }
  for (const Name& name : inserted_) {
    held_.erase(name.first, name.second);
    if (const auto payload = payloads_.find(name); payload != payloads_.end()) {
      payload_bytes_ -= payload->second.capacity();
      payloads_.erase(payload);
    }
  }
  moved_.clear();
  keep();
}

Result<const HeldReading*> SeenTable::find_held(std::uint16_t slot, std::uint64_t pseudonym) {
  if (const auto read = load(); !read) return read.error();
  return static_cast<const HeldReading*>(held_.find(slot, pseudonym));
}

std::size_t SeenTable::bytes() const {
  const std::lock_guard hold(lock);
  constexpr std::size_t k_node = 96;  // of the map
  return held_.bytes() + payload_bytes_ + k_node * payloads_.size();
}

Result<Done> SeenTable::each(std::uint16_t round, const std::function<void(const Reading&)>& visit) const {
  const std::lock_guard hold(lock);
  {
    const Result<Snapshot> snapshot = Snapshot::begin(*database_);
    if (!snapshot) return snapshot.error();
    if (const auto read = load(); !read) return read;
  }
  std::vector<HeldReading> readings;
  held_.each([&](const HeldReading& held) {
    if (held.round == round && held.state == HeldReading::State::counts) readings.push_back(held);
  });
  std::ranges::sort(readings, {}, &HeldReading::pseudonym);
  for (const HeldReading& held : readings) visit(whole(held));
  return Done{};
}

StoreIndex::Finding StoreIndex::put(std::uint16_t slot, const Reading& reading) { return table_->put(slot, reading); }

void StoreIndex::each(std::uint16_t round, const std::function<void(const Reading&)>& visit) const {
  if (const auto walked = table_->each(round, visit); !walked) throw StoreFailure(walked.error());
}

}  // namespace sotto::analyzer
