// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/store/row_seal.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include <sqlite3.h>

#include <fmt/format.h>

namespace sotto::analyzer {
namespace {

std::span<const std::uint8_t> seal_text(std::string_view text) noexcept {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// The seal of the rows that `sql` returns.
Result<SealSum> sealed_rows(const Database& database, std::string_view table, std::string_view sql) {
  Result<Statement> query = database.prepare(sql);
  if (!query) return query.error();
  SealSum sum;
  for (;;) {
    const Result<bool> row = query.value().step();
    if (!row) return row.error();
    if (!row.value()) return sum;
    sum.put(RowDigest(table).add(query.value()).finish());
  }
}

/// The seals of the duplicate index, one for each round that has rows.
Result<std::map<std::string, SealSum>> sealed_readings(const Database& database) {
  Result<Statement> query = database.prepare("SELECT slot, pseudonym, round, number, others, payload FROM seen");
  if (!query) return query.error();
  std::map<std::int64_t, SealSum> sums;
  for (;;) {
    const Result<bool> row = query.value().step();
    if (!row) return row.error();
    if (!row.value()) break;
    sums[query.value().integer(2)].put(RowDigest("seen").add(query.value()).finish());
  }
  std::map<std::string, SealSum> named;
  for (const auto& [round, sum] : sums) named.emplace(fmt::format("seen/{}", round), sum);
  return named;
}

constexpr std::string_view k_schema_rows = "SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema";
// The bytes of pieces and batches are covered by their digests, which are columns.
constexpr std::string_view k_batch_rows = "SELECT id, round, number, taken_back, digest, readings_digest FROM batches";
constexpr std::string_view k_fate_rows = "SELECT batch, reason, reports FROM fates";

}  // namespace

RowDigest::RowDigest(std::string_view table) noexcept { add(table); }

void RowDigest::put(std::uint8_t type, std::span<const std::uint8_t> value) noexcept {
  std::uint8_t head[9] = {type};
  store_u32(head + 1, static_cast<std::uint32_t>(value.size()));
  store_u32(head + 5, static_cast<std::uint32_t>(std::uint64_t{value.size()} >> 32));
  hash_.add(head);
  hash_.add(value);
}

RowDigest& RowDigest::add(std::int64_t value) noexcept {
  std::uint8_t bytes[8];
  store_u32(bytes, static_cast<std::uint32_t>(value));
  store_u32(bytes + 4, static_cast<std::uint32_t>(static_cast<std::uint64_t>(value) >> 32));
  put(SQLITE_INTEGER, bytes);
  return *this;
}

RowDigest& RowDigest::add(std::span<const std::uint8_t> bytes) noexcept {
  put(SQLITE_BLOB, bytes);
  return *this;
}

RowDigest& RowDigest::add(std::string_view text) noexcept {
  put(SQLITE_TEXT, seal_text(text));
  return *this;
}

RowDigest& RowDigest::add_null() noexcept {
  put(SQLITE_NULL, {});
  return *this;
}

RowDigest& RowDigest::add(const Statement& row, int columns) {
  for (int column = 0; column < columns; ++column) {
    const int type = row.type(column);
    if (type == SQLITE_INTEGER) {
      add(row.integer(column));
    } else {
      put(static_cast<std::uint8_t>(type), row.bytes(column));
    }
  }
  return *this;
}

Digest RowDigest::finish() noexcept {
  Digest digest;
  hash_.finish(digest);
  return digest;
}

Result<SealSum> stored_seal(const Database& database, std::string_view name) {
  Result<Statement> query = database.prepare("SELECT sum FROM seals WHERE name = ?");
  if (!query) return query.error();
  const Result<bool> row = query.value().bind(0, name).step();
  if (!row) return row.error();
  SealSum sum;
  if (!row.value()) return sum;
  const std::span<const std::uint8_t> bytes = query.value().bytes(0);
  Digest stored{};
  if (bytes.size() != stored.size()) {
    return Error{"store.damaged", "the store is not as it was written: a seal has another size", std::string(name),
                 "restore it from a backup, or collect into a new run"};
  }
  std::copy(bytes.begin(), bytes.end(), stored.begin());
  sum.put(stored);
  return sum;
}

Result<Done> move_seal(const Database& database, std::string_view name, const SealSum& by) {
  Result<SealSum> sum = stored_seal(database, name);
  if (!sum) return sum.error();
  sum.value().add(by);
  Digest bytes;
  for (std::size_t i = 0; i < sum.value().of.size(); ++i) {
    store_u32(&bytes[8 * i], static_cast<std::uint32_t>(sum.value().of[i]));
    store_u32(&bytes[8 * i + 4], static_cast<std::uint32_t>(sum.value().of[i] >> 32));
  }
  Result<Statement> insert = database.prepare("INSERT OR REPLACE INTO seals(name, sum) VALUES(?, ?)");
  if (!insert) return insert.error();
  return insert.value().bind(0, name).bind(1, bytes).run();
}

Result<Done> same_seal(const SealSum& rows, const SealSum& stored, std::string_view name) {
  if (rows == stored) return Done{};
  return Error{"store.damaged", "the store is not as it was written: rows of a table differ from their seal",
               std::string(name), "restore it from a backup, or collect into a new run"};
}

Result<Done> check_rows(const Database& database, std::string_view table, std::string_view sql) {
  const Result<SealSum> sum = sealed_rows(database, table, sql);
  if (!sum) return sum.error();
  const Result<SealSum> stored = stored_seal(database, table);
  if (!stored) return stored.error();
  return same_seal(sum.value(), stored.value(), table);
}

Result<Done> seal_schema(const Database& database) {
  const Result<SealSum> sum = sealed_rows(database, "schema", k_schema_rows);
  if (!sum) return sum.error();
  return move_seal(database, "schema", sum.value());
}

Result<Done> check_count_seals(const Database& database) {
  for (const auto& [table, sql] : {std::pair{std::string_view("batches"), k_batch_rows}, {"fates", k_fate_rows}}) {
    if (const auto same = check_rows(database, table, sql); !same) return same;
  }
  return Done{};
}

Result<Done> check_seals(const Database& database) {
  Result<std::map<std::string, SealSum>> sums = sealed_readings(database);
  if (!sums) return sums.error();
  for (const auto& [table, sql] : {std::pair<std::string_view, std::string_view>{"schema", k_schema_rows},
                                   {"pieces", "SELECT name, digest FROM pieces"},
                                   {"rounds", "SELECT number, is_closed FROM rounds"},
                                   {"batches", k_batch_rows},
                                   {"fates", k_fate_rows}}) {
    const Result<SealSum> sum = sealed_rows(database, table, sql);
    if (!sum) return sum.error();
    sums.value().emplace(table, sum.value());
  }
  Result<Statement> names = database.prepare("SELECT name FROM seals");
  if (!names) return names.error();
  for (;;) {
    const Result<bool> row = names.value().step();
    if (!row) return row.error();
    if (!row.value()) break;
    const std::span<const std::uint8_t> name = names.value().bytes(0);
    sums.value().try_emplace(std::string(name.begin(), name.end()));  // a stored seal whose table has no rows
  }
  for (const auto& [name, sum] : sums.value()) {
    const Result<SealSum> stored = stored_seal(database, name);
    if (!stored) return stored.error();
    if (const auto same = same_seal(sum, stored.value(), name); !same) return same.error();
  }
  return Done{};
}

}  // namespace sotto::analyzer
