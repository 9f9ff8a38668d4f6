// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/request/effects.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "sotto/analyzer/data/columns.hpp"

namespace sotto::analyzer::request {

std::uint32_t Effects::nonzeros() const {
  return static_cast<std::uint32_t>(std::ranges::count_if(effects, [](double e) { return e != 0; }));
}

Result<Effects> read_effects(const std::string& file, const std::string& target) {
  const auto read = read_fields(file, {"name", "effect", "unit", "offset", "deviation"});
  if (!read) return read.error();
  Effects out;
  std::set<std::string> seen;
  for (std::size_t row = 0; row < read.value().rows.size(); ++row) {
    const std::vector<std::string>& fields = read.value().rows[row];
    const auto bad = [&](std::string what, const std::string& value, std::string fix) {
      return Error{"simulate.bad_effects", fmt::format("{}:{}: {}", file, read.value().lines[row], what), value,
                   std::move(fix)};
    };
    const auto number = [&](std::size_t at) {
      return field_number(fields[at], read.value().has_decimal_comma).value_or(std::nan(""));
    };
    const Quantity quantity{fields[0], fields[2], number(3), number(4)};
    if (quantity.name.empty() || !seen.insert(quantity.name).second)
      return bad("a name is empty or repeated", quantity.name, "give every feature its own name");
    if (!std::isfinite(quantity.offset)) return bad("offset is no number", fields[3], "write its usual value");
    if (!(quantity.scale > 0)) return bad("deviation is not above 0", fields[4], "write its standard deviation");
    if (quantity.name == target) {
      out.target = quantity;
      continue;
    }
    if (!std::isfinite(number(1)))
      return bad("effect is no number", fields[1], "write 0 for a feature that does not matter");
    out.features.push_back(quantity);
    out.effects.push_back(number(1));
  }
  if (out.nonzeros() == 0)
    return Error{"simulate.bad_effects", file + ": no feature has an effect", "", "write an effect that is not 0"};
  return out;
}

}  // namespace sotto::analyzer::request
