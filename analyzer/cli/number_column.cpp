// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "number_column.hpp"

#include <utility>

#include "sotto/analyzer/data/readings.hpp"

namespace sotto::cli {

analyzer::Result<analyzer::NumberColumn> read_number_column(const std::string& file, const std::string& column,
                                                            const std::string& user_column) {
  auto readings = analyzer::read_readings(file, column, user_column);
  if (!readings) return readings.error();
  return analyzer::NumberColumn{column, std::move(readings).value()};
}

}  // namespace sotto::cli
