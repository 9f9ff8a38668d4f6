// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/data/words.hpp"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "csv.hpp"
#include "csv_number.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::size_t k_none = ~std::size_t{0};

std::size_t column_place(const std::vector<std::string_view>& names, std::string_view wanted) {
  const auto at = std::ranges::find_if(names, [&](std::string_view n) { return column_name(trimmed(n)) == wanted; });
  return at == names.end() ? k_none : static_cast<std::size_t>(at - names.begin());
}

}  // namespace

Result<WordRows> read_words(const std::filesystem::path& file, std::span<const std::string> columns,
                            const std::string& user) {
  auto source = TextSource::open(file);
  if (!source) return source.error();
  CsvReader csv(std::move(source).value());
  std::vector<std::string_view> fields;
  const auto header = csv.next(fields);
  if (!header) return header.error();
  if (!header.value())
    return Error{"data.empty_file", fmt::format("{}: the file is empty", csv.file()), "",
                 "its first line names columns"};
  const std::size_t width = fields.size();
  std::vector<std::size_t> places;
  std::vector<std::string> wanted(columns.begin(), columns.end());
  if (!user.empty()) wanted.push_back(user);
  for (const std::string& name : wanted) {
    places.push_back(column_place(fields, name));
    if (places.back() == k_none) {
      std::string known;
      for (const std::string_view field : fields) known += (known.empty() ? "" : ", ") + column_name(trimmed(field));
      return csv.refuse("data.unknown_column", "there is no such column", name, "its columns are " + known);
    }
  }
  WordRows rows;
  std::unordered_map<std::string, std::size_t> row_of;
  for (;;) {
    const auto more = csv.next(fields);
    if (!more) return more.error();
    if (!more.value()) break;
    if (fields.size() != width)
      return csv.refuse("data.ragged_row",
                        fmt::format("the row has {} fields, the first line {}", fields.size(), width), "",
                        "every row has as many fields as there are columns");
    std::vector<std::string> words;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::string_view word = trimmed(fields[places[i]]);
      words.push_back(is_missing(word) ? "" : valid_utf8(word));
    }
    std::size_t row = rows.size();
    if (!user.empty()) row = row_of.try_emplace(std::string(fields[places.back()]), row).first->second;
    if (row == rows.size()) rows.emplace_back();
    rows[row] = std::move(words);
  }
  if (rows.empty()) return Error{"data.no_rows", fmt::format("{}: there are no rows", csv.file()), "", "add rows"};
  return rows;
}

}  // namespace sotto::analyzer
