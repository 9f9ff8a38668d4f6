// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "number_column.hpp"

#include "sotto/analyzer/data/table.hpp"

namespace sotto::cli {

analyzer::Result<analyzer::NumberColumn> read_number_column(const std::string& file, const std::string& column,
                                                            const std::string& user_column,
                                                            const std::vector<std::string>& left_out) {
  const analyzer::Result<analyzer::Table> table = analyzer::read_table(file, {.user = user_column,
                                                                              .target = column,
                                                                              .left_out = left_out,
                                                                              .takes_levels_from_data = true,
                                                                              .leaves_out_dates = true,
                                                                              .keeps_missing = true});
  if (!table) return table.error();
  analyzer::NumberColumn out{column, {}};
  const analyzer::Table& t = table.value();
  for (std::size_t u = 0; u < t.users.size(); ++u)
    out.readings.emplace_back(t.y.begin() + static_cast<std::ptrdiff_t>(t.first_row[u]),
                              t.y.begin() + static_cast<std::ptrdiff_t>(t.first_row[u + 1]));
  return out;
}

}  // namespace sotto::cli
