// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/data/columns.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "../text/did_you_mean.hpp"
#include "csv.hpp"
#include "csv_number.hpp"

namespace sotto::analyzer {

namespace {

std::string suggestion(std::string_view near) {
  return near.empty() ? "give the data a column of this name"
                      : fmt::format("did you mean \"{}\"? rename that column", near);
}

Result<ColumnFields> read_fields_from(CsvReader csv, const std::vector<std::string>& names,
                                      const std::string& optional) {
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
  ColumnFields out;
  out.has_optional = !optional.empty() && place_of.contains(optional);
  std::vector<std::string> wanted = names;
  if (out.has_optional) wanted.push_back(optional);
  std::vector<std::size_t> places;
  for (const std::string& name : wanted) {
    const auto at = place_of.find(name);
    if (at == place_of.end())
      return csv.refuse("data.unknown_column", "there is no column of this name", name,
                        suggestion(did_you_mean(name, columns)));
    if (twice.contains(name))
      return csv.refuse("data.duplicate_column", "two columns have the name of a feature", name,
                        "rename or drop one of them");
    places.push_back(at->second);
  }
  out.has_decimal_comma = csv.separator() == ';';
  for (;;) {
    const Result<bool> more = csv.next(fields);
    if (!more) return more.error();
    if (!more.value()) return out;
    if (fields.size() != columns.size())
      return csv.refuse("data.ragged_row", fmt::format("there are {} columns", columns.size()),
                        fmt::format("{} fields", fields.size()), "give every row as many fields as there are names");
    out.rows.emplace_back();
    for (const std::size_t place : places) out.rows.back().emplace_back(fields[place]);
    out.lines.push_back(csv.line());
  }
}

}  // namespace

Result<ColumnFields> read_fields(const std::filesystem::path& file, const std::vector<std::string>& names,
                                 const std::string& optional) {
  auto source = TextSource::open(file);
  if (!source) return source.error();
  return read_fields_from(CsvReader(std::move(source).value()), names, optional);
}

Result<ColumnFields> read_fields_text(const std::string& name, const std::string& text,
                                      const std::vector<std::string>& names) {
  return read_fields_from(CsvReader(TextSource::of(name, text)), names, "");
}

bool field_is_missing(std::string_view field) { return is_missing(field); }

std::string field_level(std::string_view field) { return valid_utf8(trimmed(field)); }

std::optional<double> field_number(std::string_view field, bool has_decimal_comma) {
  if (is_missing(field)) return std::numeric_limits<double>::quiet_NaN();
  std::string text(field);
  if (has_decimal_comma && std::ranges::count(text, ',') == 1) text[text.find(',')] = '.';
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return {};
  return value;
}

}  // namespace sotto::analyzer
