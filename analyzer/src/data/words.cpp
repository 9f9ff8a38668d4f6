// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/data/words.hpp"

#include <unordered_map>

#include <fmt/format.h>

#include "csv_number.hpp"
#include "named_columns.hpp"

namespace sotto::analyzer {

Result<WordRows> read_words(const std::filesystem::path& file, std::span<const std::string> columns,
                            const std::string& user) {
  std::vector<std::string> names(columns.begin(), columns.end());
  if (!user.empty()) names.push_back(user);
  Result<NamedColumns> read = NamedColumns::open(file, names);
  if (!read) return read.error();
  NamedColumns& from = read.value();
  std::vector<std::string_view> fields;
  WordRows rows;
  std::unordered_map<std::string, std::size_t> row_of;
  for (;;) {
    const auto more = from.next(fields);
    if (!more) return more.error();
    if (!more.value()) break;
    std::vector<std::string> words;
    for (std::size_t i = 0; i < columns.size(); ++i)
      words.push_back(is_missing(fields[i]) ? "" : valid_utf8(fields[i]));
    std::size_t row = rows.size();
    if (!user.empty()) row = row_of.try_emplace(std::string(fields.back()), row).first->second;
    if (row == rows.size()) rows.emplace_back();
    rows[row] = std::move(words);
  }
  if (rows.empty())
    return Error{"data.no_rows", fmt::format("{}: there are no rows", from.csv().file()), "", "add rows"};
  return rows;
}

}  // namespace sotto::analyzer
