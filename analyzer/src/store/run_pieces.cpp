// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "run_pieces.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "row_seal.hpp"
#include "sotto/analyzer/crypto/hash.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::int64_t k_application = 0x536f7474;  // "Sott", for file(1)
constexpr std::int64_t k_version = 4;

// Pseudonyms and batch numbers are unsigned: see ordered_key(). A batch holds its accepted readings (ReadingWriter), from
// which the duplicate index is loaded; `seen` has the pseudonyms that contradicted themselves, with the answers that
// differ from their first. Bytes are the last column of their rows, so that reading the columns before them does not
// touch their pages.
constexpr std::string_view k_tables = R"(
CREATE TABLE pieces(name TEXT PRIMARY KEY, digest BLOB NOT NULL, bytes BLOB NOT NULL);
CREATE TABLE rounds(number INTEGER PRIMARY KEY, is_closed INTEGER NOT NULL DEFAULT 0);
CREATE TABLE batches(id INTEGER PRIMARY KEY, round INTEGER NOT NULL REFERENCES rounds(number), number INTEGER NOT NULL,
  taken_back INTEGER NOT NULL, digest BLOB NOT NULL, readings_digest BLOB NOT NULL, readings BLOB NOT NULL,
  bytes BLOB NOT NULL, UNIQUE(round, number));
CREATE TABLE fates(batch INTEGER NOT NULL REFERENCES batches(id), reason INTEGER NOT NULL, reports INTEGER NOT NULL,
  PRIMARY KEY(batch, reason)) WITHOUT ROWID;
CREATE TABLE seen(slot INTEGER NOT NULL, pseudonym INTEGER NOT NULL, round INTEGER NOT NULL, number INTEGER NOT NULL,
  others BLOB NOT NULL, payload BLOB NOT NULL, PRIMARY KEY(slot, pseudonym)) WITHOUT ROWID;
CREATE TABLE seals(name TEXT PRIMARY KEY, sum BLOB NOT NULL) WITHOUT ROWID;
)";

}  // namespace

Result<Done> create_tables(Database& database) {
  const Result<Done> made = database.run(
      fmt::format("{}PRAGMA application_id = {}; PRAGMA user_version = {};", k_tables, k_application, k_version));
  if (!made) return made.error();
  return seal_schema(database);
}

Result<bool> has_run(const Database& database) {
  const Result<std::int64_t> application = database.number("PRAGMA application_id");
  if (!application) return application.error();
  const Result<std::int64_t> version = database.number("PRAGMA user_version");
  if (!version) return version.error();
  const Result<std::int64_t> tables = database.number("SELECT count(*) FROM sqlite_schema");
  if (!tables) return tables.error();
  if (application.value() == 0 && version.value() == 0 && tables.value() == 0) return false;
  if (application.value() != k_application) {
    return Error{"store.not_a_run", "this database belongs to another program",
                 fmt::format("id {}", application.value()), "name the run.sqlite of a run"};
  }
  if (version.value() != k_version) {
    return Error{"store.other_version", "the store has another format version", fmt::format("{}", version.value()),
                 fmt::format("continue with the release that began the run; this one reads version {}", k_version)};
  }
  return true;
}

Digest digest_of(std::span<const std::uint8_t> bytes) noexcept { return fast_sha256(bytes); }

Result<Done> same_digest(std::span<const std::uint8_t> bytes, std::span<const std::uint8_t> digest,
                         std::string_view what) {
  if (std::ranges::equal(digest_of(bytes), digest)) return Done{};
  return Error{"store.damaged", "the store is not as it was written: the digest of stored bytes differs",
               std::string(what), "restore it from a backup, or collect into a new run"};
}

Result<Done> put_piece(const Database& database, std::string_view name, std::span<const std::uint8_t> bytes) {
  SealSum moved;
  {
    Result<Statement> query = database.prepare("SELECT name, digest FROM pieces WHERE name = ?");
    if (!query) return query.error();
    const Result<bool> replaced = query.value().bind(0, name).step();
    if (!replaced) return replaced.error();
    if (replaced.value()) moved.take(RowDigest("pieces").add(query.value()).finish());
  }
  Result<Statement> insert = database.prepare("INSERT OR REPLACE INTO pieces(name, digest, bytes) VALUES(?, ?, ?)");
  if (!insert) return insert.error();
  const Digest digest = digest_of(bytes);
  if (const auto done = insert.value().bind(0, name).bind(1, digest).bind(2, bytes).run(); !done) return done.error();
  moved.put(RowDigest("pieces").add(name).add(std::span<const std::uint8_t>(digest)).finish());
  return move_seal(database, "pieces", moved);
}

Result<std::optional<std::vector<std::uint8_t>>> piece(const Database& database, std::string_view name) {
  Result<Statement> query = database.prepare("SELECT digest, bytes FROM pieces WHERE name = ?");
  if (!query) return query.error();
  const Result<bool> row = query.value().bind(0, name).step();
  if (!row) return row.error();
  if (!row.value()) return std::optional<std::vector<std::uint8_t>>{};
  const std::span<const std::uint8_t> bytes = query.value().bytes(1);
  if (const auto same = same_digest(bytes, query.value().bytes(0), name); !same) return same.error();
  return std::optional(std::vector<std::uint8_t>(bytes.begin(), bytes.end()));
}

}  // namespace sotto::analyzer
