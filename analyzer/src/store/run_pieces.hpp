// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sotto/analyzer/store/statement.hpp"
#include "sotto/sha256.hpp"

// The tables of a run's database, and named byte strings in it.
namespace sotto::analyzer {

/// Creates the tables of a run in an empty database, inside a transaction.
[[nodiscard]] Result<Done> create_tables(Database& database);
/// Whether the database holds a run; false if it is empty.
/// Refuses   store.not_a_run; store.other_version.
[[nodiscard]] Result<bool> has_run(const Database& database);

[[nodiscard]] Digest digest_of(std::span<const std::uint8_t> bytes) noexcept;
/// Refuses   store.damaged: the bytes do not have this digest. A lost page can read as zeros without SQLite noticing.
[[nodiscard]] Result<Done> same_digest(std::span<const std::uint8_t> bytes, std::span<const std::uint8_t> digest,
                                       std::string_view what);

/// Stores bytes under a name: manifest, settings, model, round/<n>, aggregate/<n>. Call it inside a transaction, as the
/// seal changes too.
[[nodiscard]] Result<Done> put_piece(const Database& database, std::string_view name,
                                     std::span<const std::uint8_t> bytes);
/// The bytes under a name; empty if there are none.
/// Refuses   store.damaged.
[[nodiscard]] Result<std::optional<std::vector<std::uint8_t>>> piece(const Database& database, std::string_view name);

}  // namespace sotto::analyzer
