// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/serve/desk.hpp"

#include <utility>

#include "sotto/analyzer/channel/describe.hpp"
#include "sotto/analyzer/crypto/random.hpp"
#include "sotto/analyzer/store/row_seal.hpp"
#include "sotto/sha256.hpp"

namespace sotto::analyzer {
namespace {

// Tokens and pseudonyms are ordered by themselves, so that the order of enrolment is not kept.
constexpr const char* k_desk_tables = R"(
CREATE TABLE IF NOT EXISTS events(id INTEGER PRIMARY KEY, at INTEGER NOT NULL, what TEXT NOT NULL,
  round INTEGER NOT NULL, until INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS tokens(hash BLOB PRIMARY KEY, used INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS issued(pseudonym INTEGER PRIMARY KEY);
CREATE TABLE IF NOT EXISTS seals(name TEXT PRIMARY KEY, sum BLOB NOT NULL) WITHOUT ROWID;
)";

Digest event_digest(std::int64_t id, const DeskEvent& event) {
  RowDigest row("events");
  return row.add(id).add(event.at).add(event.what).add(std::int64_t{event.round}).add(event.until).finish();
}

Digest token_digest(const Digest& hash, bool used) {
  RowDigest row("tokens");
  return row.add(hash).add(std::int64_t{used ? 1 : 0}).finish();
}

Digest issued_digest(std::uint64_t pseudonym) {
  RowDigest row("issued");
  return row.add(static_cast<std::int64_t>(pseudonym)).finish();
}

/// Moves the seal of a table by one row that was added.
Result<Done> seal_row(const Database& database, std::string_view table, const Digest& row) {
  SealSum by;
  by.put(row);
  return move_seal(database, table, by);
}

Digest token_hash(std::string_view token) {
  Digest digest;
  sha256({reinterpret_cast<const std::uint8_t*>(token.data()), token.size()}, digest);
  return digest;
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

Result<std::vector<std::string>> Desk::draw_tokens(std::uint64_t count) {
  Result<Transaction> transaction = Transaction::begin(*database_);
  if (!transaction) return transaction.error();
  Result<Statement> insert = database_->prepare("INSERT INTO tokens(hash, used) VALUES(?, 0)");
  if (!insert) return insert.error();
  std::vector<std::string> tokens;
  SealSum drawn;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint8_t bytes[32];
    random_bytes(bytes);
    tokens.push_back(hex_text(bytes));
    const Digest hash = token_hash(tokens.back());
    if (const auto done = insert.value().bind(0, hash).run(); !done) return done.error();
    drawn.put(token_digest(hash, false));
  }
  if (const auto sealed = move_seal(*database_, "tokens", drawn); !sealed) return sealed.error();
  if (const auto done = transaction.value().commit(); !done) return done.error();
  return tokens;
}

Result<std::uint64_t> Desk::enroll(std::string_view token) {
  Result<Transaction> transaction = Transaction::begin(*database_);
  if (!transaction) return transaction.error();
  const Digest hash = token_hash(token);
  {
    Result<Statement> query = database_->prepare("SELECT used FROM tokens WHERE hash = ?");
    if (!query) return query.error();
    const Result<bool> row = query.value().bind(0, hash).step();
    if (!row) return row.error();
    if (!row.value()) {
      return Error{"enroll.unknown_token", "this token was not issued for this study", "",
                   "ask whoever runs the study for one (sotto tokens)"};
    }
    if (query.value().integer(0) != 0)
      return Error{"enroll.used_token", "this token was used before", "", "a token enrols one device, once"};
  }
  Result<Statement> use = database_->prepare("UPDATE tokens SET used = 1 WHERE hash = ?");
  if (!use) return use.error();
  if (const auto done = use.value().bind(0, hash).run(); !done) return done.error();
  Result<Statement> issue = database_->prepare("INSERT OR IGNORE INTO issued(pseudonym) VALUES(?)");
  if (!issue) return issue.error();
  std::uint64_t pseudonym = 0;
  do {
    pseudonym = random_pseudonym();
    const auto done = issue.value().bind(0, static_cast<std::int64_t>(pseudonym)).run();
    if (!done) return done.error();
  } while (database_->changes() == 0);
  SealSum used;
  used.take(token_digest(hash, false));
  used.put(token_digest(hash, true));
  if (const auto sealed = move_seal(*database_, "tokens", used); !sealed) return sealed.error();
  if (const auto sealed = seal_row(*database_, "issued", issued_digest(pseudonym)); !sealed) return sealed.error();
  if (const auto done = transaction.value().commit(); !done) return done.error();
  // SQLite drops its log from the first changed bit on, and a token that was used must stay used. Whoever reads the file
  // at this moment may keep the log; the next enrolment copies it then.
  if (const auto settled = database_->settle(); !settled && settled.error().code != "store.busy")
    return settled.error();
  return pseudonym;
}

}  // namespace sotto::analyzer
