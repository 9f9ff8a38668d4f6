// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Columns of a device's rows, and the features that they become: one for a number, one for each level of a word, one
/// more where being missing is a feature.

#include <cstdint>
#include <string>
#include <vector>

namespace sotto::analyzer {

/// A column that a study names. A device writes one number for each of its features, in this order: for a number its
/// reading; for a word 1 at its level, or at "other" if it is none of them, and 0 elsewhere; then, where it is asked
/// for, 1 if the column is missing, else 0. A missing reading is -32768 in each of the first ones.
struct StudyColumn {
  std::string name;
  std::vector<std::string> levels{};  ///< public; empty: a number
  bool has_missing = false;           ///< whether it is missing is a feature too
  std::uint32_t first = 0;            ///< of its features

  [[nodiscard]] bool is_plain() const noexcept { return levels.empty() && !has_missing; }
  [[nodiscard]] std::uint32_t features() const noexcept {
    return (levels.empty() ? 1 : static_cast<std::uint32_t>(levels.size()) + 1) + (has_missing ? 1 : 0);
  }
  /// "mode=eco", ..., "mode=other", "mode is missing".
  [[nodiscard]] std::vector<std::string> feature_names() const {
    std::vector<std::string> names;
    if (levels.empty()) names.push_back(name);
    for (const std::string& level : levels) names.push_back(name + "=" + level);
    if (!levels.empty()) names.push_back(name + "=other");
    if (has_missing) names.push_back(name + " is missing");
    return names;
  }
};

}  // namespace sotto::analyzer
