// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// What the collection of a study knows beside its reports: the log of what happened to its rounds, and the one-time
/// tokens of enrolment. One SQLite file, collection.sqlite.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sotto/analyzer/result.hpp"
#include "sotto/analyzer/store/statement.hpp"
#include "sotto/sha256.hpp"

namespace sotto::analyzer {

/// An entry of the log: opened, closed, stalled, extended, abandoned, finished, forgotten.
struct DeskEvent {
  std::int64_t at = 0;  ///< seconds since 1970
  std::string what;
  std::uint16_t round = 0;
  std::int64_t until = 0;  ///< the deadline that holds from then on; 0: none
};

/// The file of one study. Several processes may use it.
class Desk {
 public:
  /// Opens or creates it.
  /// Refuses   io.*, store.*.
  [[nodiscard]] static Result<std::unique_ptr<Desk>> open(const std::filesystem::path& path);

  [[nodiscard]] Result<Done> add(const DeskEvent& event);
  /// All entries in order.
  [[nodiscard]] Result<std::vector<DeskEvent>> events() const;

  /// Draws tokens, of which only the hashes are kept.
  [[nodiscard]] Result<std::vector<std::string>> draw_tokens(std::uint64_t count);
  /// Draws a token for each of these pseudonyms, which were issued by file: for studies whose issuer must know who has
  /// which pseudonym.
  [[nodiscard]] Result<std::vector<std::string>> draw_tokens_for(std::span<const std::uint64_t> pseudonyms);
  /// Uses a token up. Returns the pseudonym that it was drawn for, or draws one that was never drawn here, and does not
  /// keep which token got it; where it must not draw one, the token is left as it is.
  /// Refuses   enroll.unknown_token; enroll.used_token; enroll.any_device: it would have to draw.
  [[nodiscard]] Result<std::uint64_t> enroll(std::string_view token, bool may_draw = true);
  /// Of a collector: enrols by a ticket whose signature holds. The same ticket again changes nothing.
  /// Refuses   enroll.collision: another ticket has this pseudonym, by a chance of one in 2^64 for each pair.
  [[nodiscard]] Result<Done> admit(const Digest& ticket, std::uint64_t pseudonym);
  /// Of an issuer: uses a token up for a blinded ticket. The same token with the same bytes again changes nothing, so that a
  /// lost answer costs no token.
  /// Refuses   enroll.unknown_token; enroll.used_token: it was used for other bytes.
  [[nodiscard]] Result<Done> spend(std::string_view token, const Digest& blinded);

 private:
  [[nodiscard]] Result<bool> is_used(const Digest& token) const;
  [[nodiscard]] Result<Done> commit(Transaction& transaction);
  explicit Desk(std::unique_ptr<Database> database) : database_(std::move(database)) {}
  std::unique_ptr<Database> database_;
};

}  // namespace sotto::analyzer
