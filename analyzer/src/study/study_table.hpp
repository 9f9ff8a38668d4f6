// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <toml++/toml.h>

#include "sotto/analyzer/result.hpp"
#include "sotto/units.hpp"

namespace sotto::analyzer {

inline constexpr std::string_view k_bad_value = "study.bad_value";

/// One table of a study file. Reading never fails half-way: the first thing that is wrong sticks as the error, later
/// reads give zeros, and the caller looks once, at the end. Every key that was not asked for is an error of its own.
class StudyTable {
 public:
  StudyTable(const toml::table& table, std::string_view file, std::string path, std::optional<Error>& first_error)
      : table_(table), file_(file), path_(std::move(path)), error_(first_error) {}

  /// Is the key there? Asking makes it a known key.
  [[nodiscard]] bool has(std::string_view key);
  [[nodiscard]] std::string text(std::string_view key);
  /// One of a few words; the first is the default when the key is missing and `required` is false.
  [[nodiscard]] std::string word(std::string_view key, std::span<const std::string_view> allowed, bool required);
  [[nodiscard]] std::string word(std::string_view key, std::initializer_list<std::string_view> allowed, bool required) {
    return word(key, std::span(allowed.begin(), allowed.size()), required);
  }
  /// A whole number from low to high. `code` is the error's code, `why` says where the limit comes from.
  [[nodiscard]] std::uint32_t whole(std::string_view key, std::uint32_t low, std::uint32_t high, std::string_view code,
                                    std::string_view why);
  [[nodiscard]] EpsilonNano epsilon(std::string_view key);
  [[nodiscard]] DeltaUnits delta(std::string_view key);
  [[nodiscard]] std::vector<std::string> names(std::string_view key);
  /// A finite number, or `fallback` when the key is missing.
  [[nodiscard]] double number(std::string_view key, double fallback);
  [[nodiscard]] bool flag(std::string_view key, bool fallback);
  /// One to `most` whole numbers from 0 to 65535, not all of them 0; [1] when the key is missing.
  [[nodiscard]] std::vector<std::uint16_t> weights(std::string_view key, std::size_t most);
  /// The table under a key; an empty one when it is missing, which is an error when `required`.
  [[nodiscard]] StudyTable table(std::string_view key, bool required = true);
  /// The tables of an array ([[key]] each); none when the key is missing.
  [[nodiscard]] std::vector<StudyTable> tables(std::string_view key);
  /// Is there an array under the key?
  [[nodiscard]] bool is_array(std::string_view key);

  /// Was anything wrong so far, in this table or another of the file?
  [[nodiscard]] bool failed() const { return error_.has_value(); }
  /// To be called last: complains about keys that nobody asked for.
  void refuse_unknown();
  /// Records an error about a key that is there: where it stands, what is wrong, its value, the fix.
  void refuse(std::string_view code, std::string_view key, std::string_view wrong, std::string fix);

 private:
  const toml::node* find(std::string_view key, bool required);
  std::string full(std::string_view key) const {
    return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
  }
  std::string where(const toml::node& node) const;
  void missing(std::string_view key);
  void unknown(std::string_view key, const toml::node& node);
  /// "a string", "an array": what stands under the key.
  void wrong_type(std::string_view key, std::string_view wanted, const toml::node& node, std::string example);
  void stick(Error error);

  const toml::table& table_;
  std::string_view file_;
  std::string path_;
  std::optional<Error>& error_;
  std::vector<std::string> asked_;
};

}  // namespace sotto::analyzer
