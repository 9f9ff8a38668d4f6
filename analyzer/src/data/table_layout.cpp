// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "table_layout.hpp"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "../text/did_you_mean.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::size_t k_features_max = 65535;

Result<std::size_t> find_column(const CsvReader& csv, const TableLayout& layout, const std::string& name,
                                std::string_view what) {
  const auto at = std::find(layout.names.begin(), layout.names.end(), column_name(name));
  if (at != layout.names.end()) return static_cast<std::size_t>(at - layout.names.begin());
  const std::string_view near = did_you_mean(name, layout.names);
  constexpr std::size_t k_shown = 10;
  const std::size_t shown = std::min(layout.names.size(), k_shown);
  return csv.refuse("data.unknown_column", fmt::format("there is no {}", what), name,
                    !near.empty()
                        ? fmt::format("did you mean {}?", near)
                        : fmt::format("the columns are: {}{}",
                                      fmt::join(layout.names.begin(),
                                                layout.names.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                                      shown < layout.names.size() ? ", ..." : ""));
}

Result<std::vector<std::string>> read_names(CsvReader& csv) {
  std::vector<std::string_view> fields;
  const auto found = csv.next(fields);
  if (!found) return found.error();
  if (!found.value()) {
    return Error{"data.empty_file", fmt::format("{}: the file is empty", csv.file()), "",
                 "the first line names the columns"};
  }
  std::vector<std::string> names;
  std::unordered_set<std::string> seen;
  for (const std::string_view field : fields) {
    names.push_back(column_name(field));
    if (!seen.insert(names.back()).second) {
      return csv.refuse("data.duplicate_column", "two columns have the same name", names.back(),
                        "rename or drop one of them");
    }
  }
  return names;
}

/// Checks that the named columns exist and are features.
Result<Done> check_features(const CsvReader& csv, const TableLayout& layout, const std::vector<std::string>& names,
                            std::string_view option) {
  for (const std::string& name : names) {
    const auto at = find_column(csv, layout, name, fmt::format("column for {}", option));
    if (!at) return at.error();
    if (std::ranges::find(layout.features, at.value()) == layout.features.end())
      return csv.refuse("data.same_column", fmt::format("{} names a column that is not a feature", option), name,
                        "name a column that is neither user nor target and is not left out");
  }
  return Done{};
}

}  // namespace

Result<TableLayout> read_layout(CsvReader& csv, const TableColumns& columns) {
  auto names = read_names(csv);
  if (!names) return names.error();
  TableLayout layout;
  layout.names = std::move(names).value();
  if (!columns.target.empty()) {
    const auto target = find_column(csv, layout, columns.target, "column for the target");
    if (!target) return target.error();
    layout.target = target.value();
  }
  if (!columns.user.empty()) {
    const auto user = find_column(csv, layout, columns.user, "column for the user");
    if (!user) return user.error();
    layout.user = user.value();
    if (layout.user == layout.target) {
      return csv.refuse("data.same_column", "the user and the target are the same column", columns.user,
                        "name two columns");
    }
  }
  std::vector<bool> has_a_role(layout.names.size(), false);
  if (layout.user != k_no_column) has_a_role[layout.user] = true;
  if (layout.target != k_no_column) has_a_role[layout.target] = true;
  for (const std::string& name : columns.left_out) {
    const auto left_out = find_column(csv, layout, name, "column that is left out");
    if (!left_out) return left_out.error();
    if (left_out.value() == layout.target) {
      return csv.refuse("data.same_column", "the target is the column that is left out", name, "name two columns");
    }
    has_a_role[left_out.value()] = true;
  }
  for (std::size_t i = 0; i < layout.names.size(); ++i) {
    if (!has_a_role[i] && !layout.names[i].starts_with("meta_")) layout.features.push_back(i);
  }
  if (layout.features.empty()) {
    return csv.refuse("data.no_features", "no column is left for the features", "",
                      "columns named meta_... are not features");
  }
  if (layout.features.size() > k_features_max) {
    return csv.refuse("data.too_many_features", "a study has at most 65535 features",
                      std::to_string(layout.features.size()), "drop columns, or name them meta_...");
  }
  std::vector<std::string> with_levels;
  for (const ColumnLevels& each : columns.levels) with_levels.push_back(each.column);
  if (const auto good = check_features(csv, layout, with_levels, "--levels"); !good) return good.error();
  if (const auto good = check_features(csv, layout, columns.is_missing, "--missing-feature"); !good)
    return good.error();
  return layout;
}

}  // namespace sotto::analyzer
