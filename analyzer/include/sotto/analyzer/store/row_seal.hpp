// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Digests of rows and the seals (checksums) of tables, by which a store detects damage of its file.

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "sotto/analyzer/store/seal_sum.hpp"
#include "sotto/analyzer/store/statement.hpp"
#include "sotto/sha256.hpp"

namespace sotto::analyzer {

/// The digest of one row: its table, then for each column its type and value.
class RowDigest {
 public:
  explicit RowDigest(std::string_view table) noexcept;
  RowDigest& add(std::int64_t value) noexcept;
  RowDigest& add(std::span<const std::uint8_t> bytes) noexcept;
  RowDigest& add(std::string_view text) noexcept;
  RowDigest& add_null() noexcept;
  /// Adds all columns of the statement's current row, or the first ones.
  RowDigest& add(const Statement& row) { return add(row, row.columns()); }
  RowDigest& add(const Statement& row, int columns);
  [[nodiscard]] Digest finish() noexcept;

 private:
  void put(std::uint8_t type, std::span<const std::uint8_t> value) noexcept;
  Sha256 hash_;
};

/// Changes the stored seal of this name. Call it inside the transaction that changes its rows.
[[nodiscard]] Result<Done> move_seal(const Database& database, std::string_view name, const SealSum& by);
/// The stored seal of this name; zero if there is none.
[[nodiscard]] Result<SealSum> stored_seal(const Database& database, std::string_view name);
/// Refuses   store.damaged: the rows do not match the stored seal.
[[nodiscard]] Result<Done> same_seal(const SealSum& rows, const SealSum& stored, std::string_view name);

/// Compares the rows that `sql` returns with the stored seal of `table`.
/// Refuses   store.damaged.
[[nodiscard]] Result<Done> check_rows(const Database& database, std::string_view table, std::string_view sql);

/// Stores the seal of the schema that create_tables() made.
[[nodiscard]] Result<Done> seal_schema(const Database& database);
/// Compares the tables that reports are counted by with their seals.
/// Refuses   store.damaged.
[[nodiscard]] Result<Done> check_count_seals(const Database& database);
/// Reads every row of every table and compares it with the seals.
/// Refuses   store.damaged.
[[nodiscard]] Result<Done> check_seals(const Database& database);

}  // namespace sotto::analyzer
