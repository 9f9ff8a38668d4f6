// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>

#include "sotto/analyzer/channel/describe.hpp"
#include "sotto/analyzer/crypto/random.hpp"
#include "sotto/analyzer/serve/desk.hpp"
#include "sotto/analyzer/store/row_seal.hpp"

// The desk's one-time tokens, and the tickets and blinded tickets that they are spent for.
namespace sotto::analyzer {
namespace {

Digest token_digest(const Digest& hash, bool used) {
  RowDigest row("tokens");
  return row.add(hash).add(std::int64_t{used ? 1 : 0}).finish();
}

Digest issued_digest(std::uint64_t pseudonym) {
  RowDigest row("issued");
  return row.add(static_cast<std::int64_t>(pseudonym)).finish();
}

Digest bound_digest(const Digest& hash, std::uint64_t pseudonym) {
  RowDigest row("bound");
  return row.add(hash).add(static_cast<std::int64_t>(pseudonym)).finish();
}

Digest spent_digest(const Digest& hash, const Digest& blinded) {
  RowDigest row("spent");
  return row.add(hash).add(blinded).finish();
}

/// Moves the seal of a table by one row that was added.
Result<Done> seal_one(const Database& database, std::string_view table, const Digest& row) {
  SealSum by;
  by.put(row);
  return move_seal(database, table, by);
}

Digest token_hash(std::string_view token) {
  Digest digest;
  sha256({reinterpret_cast<const std::uint8_t*>(token.data()), token.size()}, digest);
  return digest;
}

/// Inserts hashes of tokens, none used yet or all of them.
class TokenRows {
 public:
  [[nodiscard]] static Result<TokenRows> begin(const Database& database) {
    Result<Statement> insert = database.prepare("INSERT INTO tokens(hash, used) VALUES(?, ?)");
    if (!insert) return insert.error();
    return TokenRows(std::move(insert).value());
  }
  [[nodiscard]] Result<Done> add(const Digest& hash, bool used) {
    drawn_.put(token_digest(hash, used));
    return insert_.bind(0, hash).bind(1, std::int64_t{used ? 1 : 0}).run();
  }
  [[nodiscard]] Result<Done> seal(const Database& database) const { return move_seal(database, "tokens", drawn_); }

 private:
  explicit TokenRows(Statement insert) : insert_(std::move(insert)) {}
  Statement insert_;
  SealSum drawn_;
};

std::string draw_token() {
  std::uint8_t bytes[32];
  random_bytes(bytes);
  return hex_text(bytes);
}

/// A token that was drawn becomes a used one.
Result<Done> use_token(const Database& database, const Digest& hash) {
  Result<Statement> use = database.prepare("UPDATE tokens SET used = 1 WHERE hash = ?");
  if (!use) return use.error();
  if (const auto done = use.value().bind(0, hash).run(); !done) return done;
  SealSum used;
  used.take(token_digest(hash, false));
  used.put(token_digest(hash, true));
  return move_seal(database, "tokens", used);
}

Error used_before() {
  return {"enroll.used_token", "this token was used before", "", "a token enrols one device, once"};
}

/// The blob that a table has for this hash; empty if none.
Result<std::optional<Digest>> blob_of(const Database& database, const char* sql, const Digest& hash) {
  Result<Statement> query = database.prepare(sql);
  if (!query) return query.error();
  const Result<bool> row = query.value().bind(0, hash).step();
  if (!row) return row.error();
  if (!row.value()) return std::optional<Digest>();
  const std::span<const std::uint8_t> blob = query.value().bytes(0);
  Digest out{};
  std::copy_n(blob.begin(), std::min(blob.size(), out.size()), out.begin());
  return std::optional(out);
}

/// The pseudonym that a token was drawn for; empty if it was drawn for any.
Result<std::optional<std::uint64_t>> bound_to(const Database& database, const Digest& hash) {
  Result<Statement> query = database.prepare("SELECT pseudonym FROM bound WHERE hash = ?");
  if (!query) return query.error();
  const Result<bool> row = query.value().bind(0, hash).step();
  if (!row) return row.error();
  if (!row.value()) return std::optional<std::uint64_t>();
  return std::optional(static_cast<std::uint64_t>(query.value().integer(0)));
}

/// Draws a pseudonym that was never issued here, and notes it.
Result<std::uint64_t> issue_any(const Database& database) {
  Result<Statement> issue = database.prepare("INSERT OR IGNORE INTO issued(pseudonym) VALUES(?)");
  if (!issue) return issue.error();
  std::uint64_t pseudonym = 0;
  do {
    pseudonym = random_pseudonym();
    const auto done = issue.value().bind(0, static_cast<std::int64_t>(pseudonym)).run();
    if (!done) return done.error();
  } while (database.changes() == 0);
  if (const auto sealed = seal_one(database, "issued", issued_digest(pseudonym)); !sealed) return sealed.error();
  return pseudonym;
}

}  // namespace

Result<std::vector<std::string>> Desk::draw_tokens(std::uint64_t count) {
  Result<Transaction> transaction = Transaction::begin(*database_);
  if (!transaction) return transaction.error();
  Result<TokenRows> rows = TokenRows::begin(*database_);
  if (!rows) return rows.error();
  std::vector<std::string> tokens;
  for (std::uint64_t i = 0; i < count; ++i) {
    tokens.push_back(draw_token());
    if (const auto added = rows.value().add(token_hash(tokens.back()), false); !added) return added.error();
  }
  if (const auto sealed = rows.value().seal(*database_); !sealed) return sealed.error();
  if (const auto done = transaction.value().commit(); !done) return done.error();
  return tokens;
}

Result<std::vector<std::string>> Desk::draw_tokens_for(std::span<const std::uint64_t> pseudonyms) {
  Result<Transaction> transaction = Transaction::begin(*database_);
  if (!transaction) return transaction.error();
  Result<TokenRows> rows = TokenRows::begin(*database_);
  if (!rows) return rows.error();
  Result<Statement> bind = database_->prepare("INSERT INTO bound(hash, pseudonym) VALUES(?, ?)");
  if (!bind) return bind.error();
  std::vector<std::string> tokens;
  SealSum bound;
  for (const std::uint64_t pseudonym : pseudonyms) {
    tokens.push_back(draw_token());
    const Digest hash = token_hash(tokens.back());
    if (const auto added = rows.value().add(hash, false); !added) return added.error();
    const auto done = bind.value().bind(0, hash).bind(1, static_cast<std::int64_t>(pseudonym)).run();
    if (!done) return done.error();
    bound.put(bound_digest(hash, pseudonym));
  }
  if (const auto sealed = rows.value().seal(*database_); !sealed) return sealed.error();
  if (const auto sealed = move_seal(*database_, "bound", bound); !sealed) return sealed.error();
  if (const auto done = transaction.value().commit(); !done) return done.error();
  return tokens;
}

Result<bool> Desk::is_used(const Digest& token) const {
  Result<Statement> query = database_->prepare("SELECT used FROM tokens WHERE hash = ?");
  if (!query) return query.error();
  const Result<bool> row = query.value().bind(0, token).step();
  if (!row) return row.error();
  if (row.value()) return query.value().integer(0) != 0;
  return Error{"enroll.unknown_token", "this token was not issued for this study", "",
               "ask whoever runs the study for one (sotto tokens)"};
}

Result<Done> Desk::commit(Transaction& transaction) {
  if (const auto done = transaction.commit(); !done) return done;
  // SQLite drops its log from the first changed bit on, and a token that was used must stay used. Whoever reads the file
  // at this moment may keep the log; the next enrolment copies it then.
  if (const auto settled = database_->settle(); !settled && settled.error().code != "store.busy") return settled;
  return Done{};
}

Result<std::uint64_t> Desk::enroll(std::string_view token, bool may_draw) {
  Result<Transaction> transaction = Transaction::begin(*database_);
  if (!transaction) return transaction.error();
  const Digest hash = token_hash(token);
  const Result<bool> used = is_used(hash);
  if (!used) return used.error();
  if (used.value()) return used_before();
  const Result<std::optional<std::uint64_t>> bound = bound_to(*database_, hash);
  if (!bound) return bound.error();
  if (!bound.value() && !may_draw) {
    return Error{"enroll.any_device", "this token is for any device, and the study knows each by its row", "",
                 "draw tokens with sotto tokens --credentials"};
  }
  if (const auto done = use_token(*database_, hash); !done) return done.error();
  const Result<std::uint64_t> pseudonym = bound.value() ? *bound.value() : issue_any(*database_);
  if (!pseudonym) return pseudonym.error();
  if (const auto done = commit(transaction.value()); !done) return done.error();
  return pseudonym;
}

Result<Done> Desk::admit(const Digest& ticket, std::uint64_t pseudonym) {
  Result<Transaction> transaction = Transaction::begin(*database_);
  if (!transaction) return transaction.error();
  const Result<bool> known = is_used(ticket);
  if (known) return Done{};
  if (known.error().code != "enroll.unknown_token") return known.error();
  Result<TokenRows> rows = TokenRows::begin(*database_);
  if (!rows) return rows.error();
  if (const auto added = rows.value().add(ticket, true); !added) return added;
  if (const auto sealed = rows.value().seal(*database_); !sealed) return sealed;
  Result<Statement> issue = database_->prepare("INSERT OR IGNORE INTO issued(pseudonym) VALUES(?)");
  if (!issue) return issue.error();
  if (const auto done = issue.value().bind(0, static_cast<std::int64_t>(pseudonym)).run(); !done) return done;
  if (database_->changes() == 0)
    return Error{"enroll.collision", "another ticket has the pseudonym of this one", "", "enrol with another token"};
  if (const auto sealed = seal_one(*database_, "issued", issued_digest(pseudonym)); !sealed) return sealed;
  return commit(transaction.value());
}

Result<Done> Desk::spend(std::string_view token, const Digest& blinded) {
  Result<Transaction> transaction = Transaction::begin(*database_);
  if (!transaction) return transaction.error();
  const Digest hash = token_hash(token);
  const Result<bool> used = is_used(hash);
  if (!used) return used.error();
  if (used.value()) {
    const auto before = blob_of(*database_, "SELECT blinded FROM spent WHERE hash = ?", hash);
    if (!before) return before.error();
    return before.value() && *before.value() == blinded ? Result<Done>(Done{}) : Result<Done>(used_before());
  }
  if (const auto done = use_token(*database_, hash); !done) return done;
  Result<Statement> insert = database_->prepare("INSERT INTO spent(hash, blinded) VALUES(?, ?)");
  if (!insert) return insert.error();
  if (const auto done = insert.value().bind(0, hash).bind(1, blinded).run(); !done) return done;
  if (const auto sealed = seal_one(*database_, "spent", spent_digest(hash, blinded)); !sealed) return sealed;
  return commit(transaction.value());
}

}  // namespace sotto::analyzer
