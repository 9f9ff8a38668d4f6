// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/serve/desk.hpp"

#include <utility>

#include "sotto/analyzer/store/row_seal.hpp"

namespace sotto::analyzer {
namespace {

// Tokens and pseudonyms are ordered by themselves, so that the order of enrolment is not kept.
constexpr const char* k_desk_tables = R"(
CREATE TABLE IF NOT EXISTS events(id INTEGER PRIMARY KEY, at INTEGER NOT NULL, what TEXT NOT NULL,
  round INTEGER NOT NULL, until INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS tokens(hash BLOB PRIMARY KEY, used INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS bound(hash BLOB PRIMARY KEY, pseudonym INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS spent(hash BLOB PRIMARY KEY, blinded BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS issued(pseudonym INTEGER PRIMARY KEY);
CREATE TABLE IF NOT EXISTS seals(name TEXT PRIMARY KEY, sum BLOB NOT NULL) WITHOUT ROWID;
)";

Digest event_digest(std::int64_t id, const DeskEvent& event) {
  RowDigest row("events");
  return row.add(id).add(event.at).add(event.what).add(std::int64_t{event.round}).add(event.until).finish();
}

/// Moves the seal of a table by one row that was added.
Result<Done> seal_row(const Database& database, std::string_view table, const Digest& row) {
  SealSum by;
  by.put(row);
  return move_seal(database, table, by);
}

}  // namespace

Result<std::unique_ptr<Desk>> Desk::open(const std::filesystem::path& path) {
  Result<std::unique_ptr<Database>> opened = Database::open(path, Database::Mode::create, {});
  if (!opened) return opened.error();
  if (const auto shaped = opened.value()->shape(); !shaped) return shaped.error();
  if (const auto made = opened.value()->run(k_desk_tables); !made) return made.error();
  // A changed bit must not give a used token back, or take an abandoned study up again.
  for (const auto& [table, sql] :
       {std::pair<std::string_view, std::string_view>{"events", "SELECT id, at, what, round, until FROM events"},
        {"tokens", "SELECT hash, used FROM tokens"},
        {"bound", "SELECT hash, pseudonym FROM bound"},
        {"spent", "SELECT hash, blinded FROM spent"},
        {"issued", "SELECT pseudonym FROM issued"}}) {
    if (const auto same = check_rows(*opened.value(), table, sql); !same) return same.error();
  }
  return std::unique_ptr<Desk>(new Desk(std::move(opened).value()));
}

Result<Done> Desk::add(const DeskEvent& event) {
  Result<Transaction> transaction = Transaction::begin(*database_);
  if (!transaction) return transaction.error();
  const Result<std::int64_t> id = database_->number("SELECT coalesce(max(id), 0) + 1 FROM events");
  if (!id) return id.error();
  Result<Statement> insert = database_->prepare("INSERT INTO events(id, at, what, round, until) VALUES(?, ?, ?, ?, ?)");
  if (!insert) return insert.error();
  insert.value().bind(0, id.value()).bind(1, event.at).bind(2, std::string_view(event.what));
  insert.value().bind(3, event.round).bind(4, event.until);
  if (const auto done = insert.value().run(); !done) return done;
  if (const auto sealed = seal_row(*database_, "events", event_digest(id.value(), event)); !sealed) return sealed;
  return transaction.value().commit();
}

Result<std::vector<DeskEvent>> Desk::events() const {
  Result<Statement> query = database_->prepare("SELECT at, what, round, until FROM events ORDER BY id");
  if (!query) return query.error();
  std::vector<DeskEvent> events;
  for (;;) {
    const Result<bool> row = query.value().step();
    if (!row) return row.error();
    if (!row.value()) return events;
    const std::span<const std::uint8_t> what = query.value().bytes(1);
    events.push_back({query.value().integer(0), std::string(what.begin(), what.end()),
                      static_cast<std::uint16_t>(query.value().integer(2)), query.value().integer(3)});
  }
}

}  // namespace sotto::analyzer
