// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "named_columns.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "csv_number.hpp"

namespace sotto::analyzer {

Result<NamedColumns> NamedColumns::open(const std::filesystem::path& file, std::span<const std::string> names) {
  auto source = TextSource::open(file);
  if (!source) return source.error();
  NamedColumns out;
  out.csv_ = std::make_unique<CsvReader>(std::move(source).value());
  CsvReader& csv = *out.csv_;
  const auto header = csv.next(out.row_);
  if (!header) return header.error();
  if (!header.value())
    return Error{"data.empty_file", fmt::format("{}: the file is empty", csv.file()), "",
                 "its first line names columns"};
  out.width_ = out.row_.size();
  for (const std::string& name : names) {
    const auto at = std::ranges::find_if(out.row_, [&](std::string_view n) { return column_name(trimmed(n)) == name; });
    if (at == out.row_.end()) {
      std::string known;
      for (const std::string_view field : out.row_) known += (known.empty() ? "" : ", ") + column_name(trimmed(field));
      return csv.refuse("data.unknown_column", "there is no such column", name, "its columns are " + known);
    }
    out.places_.push_back(static_cast<std::size_t>(at - out.row_.begin()));
  }
  return out;
}

Result<bool> NamedColumns::next(std::vector<std::string_view>& fields) {
  const auto more = csv_->next(row_);
  if (!more || !more.value()) return more;
  if (row_.size() != width_)
    return csv_->refuse("data.ragged_row", fmt::format("the row has {} fields, the first line {}", row_.size(), width_),
                        "", "every row has as many fields as there are columns");
  fields.clear();
  for (const std::size_t place : places_) fields.push_back(trimmed(row_[place]));
  return true;
}

}  // namespace sotto::analyzer
