// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// What the collection of a study knows beside its reports: the log of what happened to its rounds, and the one-time
/// tokens of enrolment. One SQLite file, collection.sqlite.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sotto/analyzer/result.hpp"
#include "sotto/analyzer/store/statement.hpp"

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
  /// Uses a token up and draws a pseudonym that was never drawn here. Which token got which pseudonym is not kept.
  /// Refuses   enroll.unknown_token; enroll.used_token.
  [[nodiscard]] Result<std::uint64_t> enroll(std::string_view token);

 private:
  explicit Desk(std::unique_ptr<Database> database) : database_(std::move(database)) {}
  std::unique_ptr<Database> database_;
};

}  // namespace sotto::analyzer
