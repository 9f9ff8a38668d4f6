// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/data/columns.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "../text/did_you_mean.hpp"
#include "csv.hpp"

namespace sotto::analyzer {

namespace {

std::string suggestion(std::string_view near) {
  return near.empty() ? "give the data a column of this name" : fmt::format("is it \"{}\"? give it this name", near);
}

}  // namespace

Result<std::vector<std::vector<double>>> read_columns(const std::filesystem::path& file,
                                                      const std::vector<std::string>& names) {
  auto source = TextSource::open(file);
  if (!source) return source.error();
  CsvReader csv(std::move(source).value());
  std::vector<std::string_view> fields;
  const Result<bool> head = csv.next(fields);
  if (!head) return head.error();
  if (!head.value())
    return csv.refuse("data.empty_file", "the file is empty", "", "write a first line with the names of the columns");
  std::vector<std::string> columns;
  for (const std::string_view field : fields) columns.push_back(column_name(field));
  std::unordered_map<std::string_view, std::size_t> place_of;  // both lists may be long
  std::unordered_set<std::string_view> twice;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!place_of.emplace(columns[i], i).second) twice.insert(columns[i]);
  }
  std::vector<std::size_t> places;
  for (const std::string& name : names) {
    const auto at = place_of.find(name);
    if (at == place_of.end())
      return csv.refuse("data.unknown_column", "a feature of the model has no column", name,
                        suggestion(did_you_mean(name, columns)));
    if (twice.contains(name))
      return csv.refuse("data.duplicate_column", "two columns have the name of a feature", name,
                        "rename or drop one of them");
    places.push_back(at->second);
  }
  std::vector<std::vector<double>> rows;
  for (;;) {
    const Result<bool> more = csv.next(fields);
    if (!more) return more.error();
    if (!more.value()) return rows;
    if (fields.size() != columns.size())
      return csv.refuse("data.ragged_row", fmt::format("there are {} columns", columns.size()),
                        fmt::format("{} fields", fields.size()), "give every row as many fields as there are names");
    rows.emplace_back();
    for (const std::size_t place : places) {
      double value = 0;
      const std::string_view text = fields[place];
      const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
      if (status != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
        return csv.refuse("data.not_a_number", fmt::format("{} is not a finite number", columns[place]), text,
                          "fill it in, or drop the row");
      rows.back().push_back(value);
    }
  }
}

}  // namespace sotto::analyzer
