// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/request/number_column.hpp"

#include <cmath>
#include <utility>

#include "sotto/analyzer/data/readings.hpp"
#include "sotto/analyzer/data/table.hpp"

namespace sotto::analyzer::request {

namespace {

/// A missing reading is left out, and who has no other, as read_readings() does.
Result<NumberColumn> column_of(const Result<Table>& table, const std::string& name) {
  if (!table) return table.error();
  NumberColumn out{name, {}};
  const Table& t = table.value();
  for (std::size_t u = 0; u < t.users.size(); ++u) {
    std::vector<double> held;
    for (std::uint64_t row = t.first_row[u]; row < t.first_row[u + 1]; ++row) {
      if (!std::isnan(t.y[row])) held.push_back(t.y[row]);
    }
    if (!held.empty()) out.readings.push_back(std::move(held));
  }
  return out;
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
  return column_of(o.rows({.user = o.user_column,
                           .target = o.target,
                           .left_out = o.table.leave_out,
                           .takes_levels_from_data = true,
                           .leaves_out_dates = true,
                           .keeps_missing = true}),
                   o.target);
}

}  // namespace sotto::analyzer::request
