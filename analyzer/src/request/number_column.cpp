// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/request/number_column.hpp"

#include <utility>

#include "sotto/analyzer/data/readings.hpp"
#include "sotto/analyzer/data/table.hpp"

namespace sotto::analyzer::request {

namespace {

Result<NumberColumn> column_of(const Result<Table>& table, const std::string& name) {
  if (!table) return table.error();
  NumberColumn out{name, {}};
  const Table& t = table.value();
  for (std::size_t u = 0; u < t.users.size(); ++u)
    out.readings.emplace_back(t.y.begin() + static_cast<std::ptrdiff_t>(t.first_row[u]),
                              t.y.begin() + static_cast<std::ptrdiff_t>(t.first_row[u + 1]));
  return out;
}

TableColumns columns_of(const std::string& column, const std::string& user, const std::vector<std::string>& left_out) {
  return {.user = user,
          .target = column,
          .left_out = left_out,
          .takes_levels_from_data = true,
          .leaves_out_dates = true,
          .keeps_missing = true};
}

}  // namespace

Result<NumberColumn> read_number_column(const std::string& file, const std::string& column,
                                        const std::string& user_column) {
  auto readings = read_readings(file, column, user_column);
  if (!readings) return readings.error();
  return NumberColumn{column, std::move(readings).value()};
}

Result<NumberColumn> read_number_column(const SimulateOptions& o) {
  if (!o.rows) return read_number_column(o.data, o.target, o.user_column);
  return column_of(o.rows(columns_of(o.target, o.user_column, o.table.leave_out)), o.target);
}

}  // namespace sotto::analyzer::request
