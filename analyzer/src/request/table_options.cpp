// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/request/table_options.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "sotto/analyzer/data/columns.hpp"

namespace sotto::analyzer::request {

void add_table_options(CLI::App& verb, TableOptions& o) {
  const auto one_each = [](CLI::Option* option) {
    option->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->allow_extra_args(false);
  };
  one_each(verb.add_option("--leave-out", o.leave_out,
                           "a column that is not a feature, such as a row number; may be given several times"));
  one_each(verb.add_option("--levels", o.levels,
                           "COLUMN=LEVEL,LEVEL,...: public levels of a column of text, which become one feature each, "
                           "any other text being \"other\"; once for each column"));
  one_each(verb.add_option("--missing-feature", o.is_missing,
                           "a column whose being missing becomes a feature, 0 or 1; may be given several times"));
  verb.add_option("--positive", o.positive, "the level of a target in words that counts as 1, all others as 0")
      ->check([](const std::string& level) {
        return field_level(level).empty() ? std::string("a blank is no level") : std::string();
      });
}

Result<std::vector<ColumnLevels>> read_levels(const TableOptions& o) {
  std::vector<ColumnLevels> all;
  for (const std::string& text : o.levels) {
    const auto bad = [&](const char* what) {
      return Error{"data.bad_levels", fmt::format("--levels {}", what), text,
                   "write COLUMN=LEVEL,LEVEL,..., once for each column and each level once, such as color=red,green"};
    };
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) return bad("names no column");
    ColumnLevels column{text.substr(0, equals), {}};
    if (std::ranges::any_of(all, [&](const ColumnLevels& each) { return each.column == column.column; }))
      return bad("names a column twice");
    for (std::size_t at = equals + 1; at <= text.size();) {
      const std::size_t end = std::min(text.find(',', at), text.size());
      const std::string level = field_level(text.substr(at, end - at));
      if (level.empty()) return bad("has an empty level");
      if (std::ranges::find(column.levels, level) != column.levels.end()) return bad("names a level twice");
      column.levels.push_back(level);
      at = end + 1;
    }
    all.push_back(std::move(column));
  }
  return all;
}

std::string shell_word(std::string_view text) {
  constexpr std::string_view k_plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:=+@%";
  if (!text.empty() && text.find_first_not_of(k_plain) == std::string_view::npos) return std::string(text);
  std::string word = "'";
  for (const char c : text) {
    if (c == '\'') {
      word += R"('\'')";
    } else {
      word += c;
    }
  }
  return word + "'";
}

std::string shell_option(std::string_view name, std::string_view value) {
  return fmt::format(" {}{}{}", name, value.starts_with('-') ? '=' : ' ', shell_word(value));
}

std::string table_command(const TableOptions& o) {
  std::string text;
  for (const std::string& each : o.leave_out) text += shell_option("--leave-out", each);
  for (const std::string& each : o.levels) text += shell_option("--levels", each);
  for (const std::string& each : o.is_missing) text += shell_option("--missing-feature", each);
  if (!o.positive.empty()) text += shell_option("--positive", o.positive);
  return text;
}

}  // namespace sotto::analyzer::request
