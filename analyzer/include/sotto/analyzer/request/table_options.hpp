// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Options that say how the columns of a CSV file are read, which `sotto fit` and `sotto simulate --data` share.

#include <string>
#include <string_view>
#include <vector>

#include "sotto/analyzer/data/table.hpp"

namespace CLI {
class App;
}

namespace sotto::analyzer::request {

struct TableOptions {
  std::vector<std::string> leave_out, levels, is_missing;
  std::string positive;
};

/// Adds --leave-out, --levels, --missing-feature and --positive.
void add_table_options(CLI::App& verb, TableOptions& options);

/// The levels of --levels, COLUMN=LEVEL,LEVEL,...
/// Refuses   data.bad_levels: no column, no level, a level or a column twice.
[[nodiscard]] Result<std::vector<ColumnLevels>> read_levels(const TableOptions& options);

/// The options as words of a shell command, each with a space before it.
[[nodiscard]] std::string table_command(const TableOptions& options);

/// Quotes any text as one word of a shell command.
[[nodiscard]] std::string shell_word(std::string_view text);
/// An option with its text: joined by = where the text begins with a dash, which would be parsed as an option.
[[nodiscard]] std::string shell_option(std::string_view name, std::string_view value);

}  // namespace sotto::analyzer::request
