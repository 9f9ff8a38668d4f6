// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/data/scales_file.hpp"

#include <cmath>

#include <fmt/format.h>

#include "sotto/analyzer/data/columns.hpp"

namespace sotto::analyzer {

Result<ColumnScales> ColumnScales::read(const std::filesystem::path& file) {
  const auto read = read_fields(file, {"name", "offset", "deviation"});
  if (!read) return read.error();
  ColumnScales out;
  out.file_ = file == "-" ? "stdin" : file.string();
  for (std::size_t row = 0; row < read.value().rows.size(); ++row) {
    const std::vector<std::string>& fields = read.value().rows[row];
    const auto bad = [&](const char* what, const std::string& value, const char* fix) {
      return Error{"data.bad_scale", fmt::format("{}:{}: {}", out.file_, read.value().lines[row], what), value, fix};
    };
    const auto number = [&](std::size_t at) {
      return field_number(fields[at], read.value().has_decimal_comma).value_or(std::nan(""));
    };
    const Scale scale{.offset = number(1), .deviation = number(2)};
    if (!std::isfinite(scale.offset))
      return bad("an offset is not a number", fields[1], "write the column's usual value");
    if (!(scale.deviation > 0))
      return bad("a deviation is not positive", fmt::format("{}: {}", fields[0], fields[2]),
                 "give a deviation above 0");
    if (!out.scales_.emplace(fields[0], scale).second)
      return bad("a column has two lines", fields[0], "leave one of them out");
  }
  return out;
}

Result<Scale> ColumnScales::of(const std::string& name) const {
  const auto at = scales_.find(name);
  if (at != scales_.end()) return at->second;
  return Error{"data.missing_scale", file_ + ": there is no line for a column", name,
               "add name,offset,deviation for it"};
}

}  // namespace sotto::analyzer
