// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Reads the file of public scales that the option --scales of `sotto fit`, `sotto report` and `sotto predict` names.

#include <filesystem>
#include <map>
#include <string>

#include "sotto/analyzer/data/standardise.hpp"
#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer {

/// Offsets and deviations by the name of their column.
class ColumnScales {
 public:
  /// Reads a CSV file with the columns name, offset and deviation; others are ignored.
  /// Refuses   as read_fields; data.bad_scale: a name twice, an offset that is not a number, a deviation that is not
  ///           positive. The error names the line.
  [[nodiscard]] static Result<ColumnScales> read(const std::filesystem::path& file);

  [[nodiscard]] bool has(const std::string& name) const { return scales_.contains(name); }
  /// Refuses   data.missing_scale.
  [[nodiscard]] Result<Scale> of(const std::string& name) const;

 private:
  std::string file_;
  std::map<std::string, Scale> scales_;
};

}  // namespace sotto::analyzer
