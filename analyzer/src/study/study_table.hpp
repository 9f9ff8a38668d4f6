// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Reads one TOML table of a study file, with errors that name the file, line, key and remedy.

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

/// One table of a study file. Reads do not fail one by one: the first error is kept, later reads return zeros, and the
/// caller checks once at the end. A key that was never read is an error.
class StudyTable {
 public:
  StudyTable(const toml::table& table, std::string_view file, std::string path, std::optional<Error>& first_error)
      : table_(table), file_(file), path_(std::move(path)), error_(first_error) {}

  /// Whether the table has the key. The key counts as known from then on.
  [[nodiscard]] bool has(std::string_view key);
  [[nodiscard]] std::string text(std::string_view key);
  /// One of several words; the first is the default if the key is missing and `required` is false.
  [[nodiscard]] std::string word(std::string_view key, std::span<const std::string_view> allowed, bool required);
  [[nodiscard]] std::string word(std::string_view key, std::initializer_list<std::string_view> allowed, bool required) {
    return word(key, std::span(allowed.begin(), allowed.size()), required);
  }
  /// A whole number from low to high. `code` is the error's code, `why` explains the limit.
  [[nodiscard]] std::uint32_t whole(std::string_view key, std::uint32_t low, std::uint32_t high, std::string_view code,
                                    std::string_view why);
  /// A whole number of 32 bits, which may be negative; above -2^31, which stands for no reading.
  [[nodiscard]] std::int32_t integer(std::string_view key);
  /// An array of finite numbers.
  [[nodiscard]] std::vector<double> numbers(std::string_view key);
  [[nodiscard]] EpsilonNano epsilon(std::string_view key);
  [[nodiscard]] DeltaUnits delta(std::string_view key);
  /// A date and time with its distance from UTC, in seconds since 1970; 0 after an error.
  [[nodiscard]] std::uint64_t moment(std::string_view key);
  [[nodiscard]] std::vector<std::string> names(std::string_view key);
  /// A finite number, or `fallback` if the key is missing.
  [[nodiscard]] double number(std::string_view key, double fallback);
  [[nodiscard]] bool flag(std::string_view key, bool fallback);
  /// One to `most` whole numbers from 0 to 65535, not all 0; [1] if the key is missing.
  [[nodiscard]] std::vector<std::uint16_t> weights(std::string_view key, std::size_t most);
  /// The table of a key; an empty one if the key is missing, which is an error if `required`.
  [[nodiscard]] StudyTable table(std::string_view key, bool required = true);
  /// The tables of an array ([[key]] each); none if the key is missing.
  [[nodiscard]] std::vector<StudyTable> tables(std::string_view key);
  /// The keys of the table, in the order of their names.
  [[nodiscard]] std::vector<std::string> keys() const;
  /// Whether the key's value is one of these words. Says nothing about other values.
  [[nodiscard]] bool is_word(std::string_view key, std::span<const std::string_view> words);
  /// Whether the key's value is an array.
  [[nodiscard]] bool is_array(std::string_view key);

  /// Whether there was an error so far, in this or another table of the file.
  [[nodiscard]] bool failed() const { return error_.has_value(); }
  /// Call this last: an error for each key that was never read.
  void refuse_unknown();
  /// Records an error about a key that is present: its location, what is wrong, its value and the remedy.
  void refuse(std::string_view code, std::string_view key, std::string_view wrong, std::string fix);

 private:
  const toml::node* find(std::string_view key, bool required);
  std::string full(std::string_view key) const {
    return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
  }
  std::string where(const toml::node& node) const;
  void missing(std::string_view key);
  void unknown(std::string_view key, const toml::node& node);
  /// The value has another type than wanted: "a string", "an array".
  void wrong_type(std::string_view key, std::string_view wanted, const toml::node& node, std::string example);
  void stick(Error error);

  const toml::table& table_;
  std::string_view file_;
  std::string path_;
  std::optional<Error>& error_;
  std::vector<std::string> asked_;
};

}  // namespace sotto::analyzer
