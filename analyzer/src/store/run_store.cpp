// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/store/run_store.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "run_pieces.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/files/read_whole.hpp"
#include "sotto/analyzer/store/row_seal.hpp"

namespace sotto::analyzer {
namespace {

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::string round_piece(std::uint16_t number) { return fmt::format("round/{}", number); }
std::string aggregate_piece(std::uint16_t number) { return fmt::format("aggregate/{}", number); }

Digest round_row(std::uint16_t number, bool is_closed) {
  return RowDigest("rounds").add(std::int64_t{number}).add(std::int64_t{is_closed}).finish();
}

Error damaged(std::string_view what) {
  return {"store.damaged", "the store lacks a part", std::string(what),
          "restore it from a backup, or collect into a new run"};
}

/// A piece without which the store is damaged.
Result<std::vector<std::uint8_t>> whole_piece(const Database& database, std::string_view name) {
  Result<std::optional<std::vector<std::uint8_t>>> found = piece(database, name);
  if (!found) return found.error();
  if (!found.value()) return damaged(name);
  return std::move(*found.value());
}

}  // namespace

Result<std::unique_ptr<RunStore>> RunStore::create(const std::filesystem::path& path,
                                                   std::span<const std::uint8_t> manifest,
                                                   const std::string& settings_json, const StoreLimits& limits) {
  if (const auto read = read_manifest(manifest, "the manifest"); !read) return read.error();
  {
    const Result<std::unique_ptr<Database>> opened = Database::open(path, Database::Mode::create, limits);
    if (!opened) return opened.error();
    Database& database = *opened.value();
    const auto is_new = [&]() -> Result<Done> {
      const Result<bool> there = has_run(database);
      if (!there) return there.error();
      if (!there.value()) return Done{};
      return Error{"store.exists", "there is a run already", path.string(), "continue it, or choose another directory"};
    };
    // Checked once before anything is written, as the file may belong to another program, and once more as the only
    // writer, as two processes may create the same run.
    if (const auto empty = is_new(); !empty) return empty.error();
    if (const auto shaped = database.shape(); !shaped) return shaped.error();
    Result<Transaction> transaction = Transaction::begin(database);
    if (!transaction) return transaction.error();
    if (const auto empty = is_new(); !empty) return empty.error();
    for (const Result<Done>& step : {create_tables(database), put_piece(database, "manifest", manifest),
                                     put_piece(database, "settings", bytes_of(settings_json))}) {
      if (!step) return step.error();
    }
    if (const auto committed = transaction.value().commit(); !committed) return committed.error();
    if (const auto settled = database.settle(); !settled) return settled.error();
  }
  return open(path, limits);
}

Result<std::unique_ptr<RunStore>> RunStore::open_or_create(const std::filesystem::path& path,
                                                           std::span<const std::uint8_t> manifest,
                                                           const std::string& settings_json) {
  const Result<bool> there = is_there(path);
  if (!there) return there.error();
  if (!there.value()) return create(path, manifest, settings_json);
  Result<std::unique_ptr<RunStore>> opened = open(path);
  if (!opened && opened.error().code == "store.unfinished") return create(path, manifest, settings_json);
  if (!opened) return opened.error();
  if (const auto checked = opened.value()->check(); !checked) return checked.error();
  return opened;
}

Result<std::unique_ptr<RunStore>> RunStore::open(const std::filesystem::path& path, const StoreLimits& limits) {
  Result<std::unique_ptr<Database>> opened = Database::open(path, Database::Mode::existing, limits);
  if (!opened) return opened.error();
  std::shared_ptr<Database> database = std::move(opened).value();
  const Result<bool> there = has_run(*database);
  if (!there) return there.error();
  if (!there.value()) {
    return Error{"store.unfinished", "the store is empty: its creation was interrupted", path.string(),
                 "nothing was stored in it: repeat the command that began the run"};
  }
  Result<std::shared_ptr<SeenTable>> seen = SeenTable::open(database);
  if (!seen) return seen.error();
  std::unique_ptr<RunStore> store(new RunStore(std::move(database), std::move(seen).value()));
  if (const auto loaded = store->load(); !loaded) return loaded.error();
  return store;
}

Result<Done> RunStore::load() {
  Result<std::vector<std::uint8_t>> manifest = whole_piece(*database_, "manifest");
  if (!manifest) return manifest.error();
  manifest_ = std::move(manifest).value();
  const Result<Manifest> read = read_manifest(manifest_, "the stored manifest");
  if (!read) return damaged("manifest");  // only a valid manifest is ever stored
  digest_ = manifest_digest(read.value());
  const Result<std::vector<std::uint8_t>> settings = whole_piece(*database_, "settings");
  if (!settings) return settings.error();
  settings_.assign(settings.value().begin(), settings.value().end());
  return Done{};
}

RunStore::~RunStore() {
  if (unsettled_) (void)settle();
}

Result<Done> RunStore::settle() {
  const std::lock_guard hold(seen_->lock);
  const Result<Done> settled = database_->settle();
  if (settled) unsettled_ = false;
  return settled;
}

Result<Done> RunStore::add_round(std::span<const std::uint8_t> bytes) {
  const std::lock_guard hold(seen_->lock);
  if (const auto stored = store_round(bytes); !stored) return stored;
  return settle();
}

Result<Done> RunStore::store_round(std::span<const std::uint8_t> bytes) {
  const Result<Round> round = read_round(bytes, "the round");
  if (!round) return round.error();
  const std::uint16_t number = round.value().number;
  if (!std::ranges::equal(round.value().study, digest_)) {
    return Error{"store.foreign_round", "the round belongs to another study", fmt::format("round {}", number),
                 "use the round that was compiled with this manifest"};
  }
  Result<Transaction> transaction = Transaction::begin(*database_);
  if (!transaction) return transaction.error();
  const Result<std::optional<std::vector<std::uint8_t>>> there = piece(*database_, round_piece(number));
  if (!there) return there.error();
  if (there.value()) {
    if (std::ranges::equal(*there.value(), bytes)) return Done{};
    return Error{"store.other_round", "another round is stored under this number", fmt::format("round {}", number),
                 "use the stored round, or give this one another number"};
  }
  Result<Statement> insert = database_->prepare("INSERT INTO rounds(number) VALUES(?)");
  if (!insert) return insert.error();
  if (const auto done = insert.value().bind(0, number).run(); !done) return done.error();
  SealSum added;
  added.put(round_row(number, false));
  if (const auto done = move_seal(*database_, "rounds", added); !done) return done.error();
  if (const auto done = put_piece(*database_, round_piece(number), bytes); !done) return done.error();
  return transaction.value().commit();
}

Result<std::vector<StoredRound>> RunStore::rounds() const {
  const std::lock_guard hold(seen_->lock);
  Result<Statement> query = database_->prepare("SELECT number, is_closed FROM rounds ORDER BY number");
  if (!query) return query.error();
  std::vector<StoredRound> rounds;
  while (true) {
    const Result<bool> row = query.value().step();
    if (!row) return row.error();
    if (!row.value()) return rounds;
    StoredRound round{static_cast<std::uint16_t>(query.value().integer(0)), {}, query.value().integer(1) != 0};
    Result<std::vector<std::uint8_t>> bytes = whole_piece(*database_, round_piece(round.number));
    if (!bytes) return bytes.error();
    round.bytes = std::move(bytes).value();
    rounds.push_back(std::move(round));
  }
}

Result<bool> RunStore::is_closed(std::uint16_t number) const {
  Result<Statement> query = database_->prepare("SELECT is_closed FROM rounds WHERE number = ?");
  if (!query) return query.error();
  const Result<bool> row = query.value().bind(0, number).step();
  if (!row) return row.error();
  if (!row.value()) {
    return Error{"store.no_round", "the run has no such round", fmt::format("round {}", number), "add the round first"};
  }
  return query.value().integer(0) != 0;
}

Result<Done> RunStore::close_round(std::uint16_t number, std::span<const std::uint8_t> aggregate) {
  const std::lock_guard hold(seen_->lock);
  if (const auto stored = store_aggregate(number, aggregate); !stored) return stored;
  return settle();
}

Result<Done> RunStore::store_aggregate(std::uint16_t number, std::span<const std::uint8_t> aggregate) {
  Result<Transaction> transaction = Transaction::begin(*database_);
  if (!transaction) return transaction.error();
  const Result<bool> closed = is_closed(number);
  if (!closed) return closed.error();
  if (closed.value()) {
    const Result<std::vector<std::uint8_t>> there = whole_piece(*database_, aggregate_piece(number));
    if (!there) return there.error();
    if (std::ranges::equal(there.value(), aggregate)) return Done{};
    return Error{"store.round_closed", "the round was closed with another aggregate", fmt::format("round {}", number),
                 "a round closes once: use the stored aggregate"};
  }
  Result<Statement> update = database_->prepare("UPDATE rounds SET is_closed = 1 WHERE number = ?");
  if (!update) return update.error();
  if (const auto done = update.value().bind(0, number).run(); !done) return done.error();
  SealSum closing;
  closing.take(round_row(number, false));
  closing.put(round_row(number, true));
  if (const auto done = move_seal(*database_, "rounds", closing); !done) return done.error();
  if (const auto done = put_piece(*database_, aggregate_piece(number), aggregate); !done) return done.error();
  return transaction.value().commit();
}

Result<std::vector<std::uint8_t>> RunStore::aggregate(std::uint16_t number) const {
  const std::lock_guard hold(seen_->lock);
  const Result<bool> closed = is_closed(number);
  if (!closed) return closed.error();
  if (!closed.value()) {
    return Error{"store.round_open", "an open round has no aggregate", fmt::format("round {}", number),
                 "close the round first"};
  }
  return whole_piece(*database_, aggregate_piece(number));
}

Result<Done> RunStore::put_model(std::string_view json) {
  const std::lock_guard hold(seen_->lock);
  if (const auto stored = store_model(json); !stored) return stored;
  return settle();
}

Result<Done> RunStore::store_model(std::string_view json) {
  Result<Transaction> transaction = Transaction::begin(*database_);
  if (!transaction) return transaction.error();
  if (const auto done = put_piece(*database_, "model", bytes_of(json)); !done) return done.error();
  return transaction.value().commit();
}

Result<std::string> RunStore::model() const {
  const std::lock_guard hold(seen_->lock);
  const Result<std::optional<std::vector<std::uint8_t>>> found = piece(*database_, "model");
  if (!found) return found.error();
  if (!found.value()) {
    return Error{"store.no_model", "the run has no model yet", "", "close all its rounds first"};
  }
  return std::string(found.value()->begin(), found.value()->end());
}

}  // namespace sotto::analyzer
