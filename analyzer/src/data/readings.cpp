// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/data/readings.hpp"

#include <unordered_map>

#include <fmt/format.h>

#include "csv_number.hpp"
#include "named_columns.hpp"
#include "sotto/analyzer/text/printable.hpp"

namespace sotto::analyzer {

Result<std::vector<std::vector<double>>> read_readings(const std::filesystem::path& file, const std::string& column,
                                                       const std::string& user) {
  std::vector<std::string> names{column};
  if (!user.empty()) names.push_back(user);
  Result<NamedColumns> read = NamedColumns::open(file, names);
  if (!read) return read.error();
  NamedColumns& from = read.value();
  std::vector<std::string_view> fields;
  std::vector<std::vector<double>> out;
  std::unordered_map<std::string, std::size_t> place_of;
  for (;;) {
    const auto more = from.next(fields);
    if (!more) return more.error();
    if (!more.value()) break;
    if (is_missing(fields.front())) continue;
    float reading = 0;
    if (const Number parsed = parse_number(fields.front(), from.csv().separator() == ';', reading);
        parsed != Number::good)
      return from.csv().refuse(parsed == Number::not_finite ? "data.not_finite" : "data.not_a_number",
                               fmt::format("{} is no number that a device could read", column),
                               printable(fields.front()), "name a column of numbers; words are kind = \"category\"");
    std::size_t place = out.size();
    if (!user.empty()) place = place_of.try_emplace(std::string(fields.back()), place).first->second;
    if (place == out.size()) out.emplace_back();
    out[place].push_back(reading);
  }
  if (out.empty())
    return Error{"data.no_rows", fmt::format("{}: there are no readings in {}", from.csv().file(), column), "",
                 "add rows"};
  return out;
}

}  // namespace sotto::analyzer
