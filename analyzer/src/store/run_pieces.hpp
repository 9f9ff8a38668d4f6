// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sotto/analyzer/store/statement.hpp"
#include "sotto/sha256.hpp"

namespace sotto::analyzer {

/// Makes the tables of a run in an empty database. Inside a transaction.
[[nodiscard]] Result<Done> create_tables(Database& database);
/// Has the database been created as a run? False: it is empty.
/// Refuses   store.not_a_run; store.other_version.
[[nodiscard]] Result<bool> has_run(const Database& database);

[[nodiscard]] Digest digest_of(std::span<const std::uint8_t> bytes) noexcept;
/// store.damaged, unless these bytes have this digest. A lost page can read as zeros without SQLite's noticing.
[[nodiscard]] Result<Done> same_digest(std::span<const std::uint8_t> bytes, std::span<const std::uint8_t> digest,
                                       std::string_view what);

/// Bytes under a name: manifest, settings, model, round/<n>, aggregate/<n>. Inside a transaction: the seal moves with
/// them.
[[nodiscard]] Result<Done> put_piece(const Database& database, std::string_view name,
                                     std::span<const std::uint8_t> bytes);
/// Nothing when there is none.
/// Refuses   store.damaged.
[[nodiscard]] Result<std::optional<std::vector<std::uint8_t>>> piece(const Database& database, std::string_view name);

}  // namespace sotto::analyzer
