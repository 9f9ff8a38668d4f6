// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "../text/did_you_mean.hpp"
#include "question.hpp"

// The table [between] of a study with a protocol.
namespace sotto::analyzer {
namespace {

constexpr std::size_t k_columns_max = 128;  // their numbers and centres have to fit into a round

/// The columns of features that the study names: one, or all that a word became. Features without names are called as
/// models call them, "feature 7".
std::vector<std::uint32_t> columns_named(const std::string& name, const Study& study, std::uint32_t features) {
  std::vector<std::uint32_t> out;
  for (const StudyColumn& column : study.columns) {
    for (std::uint32_t j = 0; column.name == name && j < column.features(); ++j) out.push_back(column.first + j);
  }
  if (!out.empty()) return out;
  const auto found = std::ranges::find(study.features, name);
  if (found != study.features.end()) return {static_cast<std::uint32_t>(found - study.features.begin())};
  if (!study.features.empty()) return {};
  for (std::uint32_t j = 0; j < features; ++j) {
    if (name == fmt::format("feature {}", j)) return {j};
  }
  return {};
}

void read_columns_between(StudyTable& table, const Study& study, std::uint32_t features, BetweenTerms& between) {
  for (const std::string& name : table.names("features")) {
    const std::vector<std::uint32_t> columns = columns_named(name, study, features);
    if (columns.empty()) {
      const std::string_view near = did_you_mean(name, study.features);
      table.refuse(k_bad_value, "features", fmt::format("holds \"{}\", which is no feature of the study", name),
                   near.empty() ? "name it among the study's features too" : fmt::format("is it \"{}\"?", near));
    }
    between.features.insert(between.features.end(), columns.begin(), columns.end());
  }
  std::ranges::sort(between.features);
  if (table.failed()) return;
  if (std::ranges::adjacent_find(between.features) != between.features.end())
    table.refuse(k_bad_value, "features", "names a column twice: a word stands for all of its levels",
                 "name the word, or single levels of it");
  if (between.features.empty() || between.features.size() > k_columns_max)
    table.refuse(k_bad_value, "features",
                 fmt::format("becomes {} columns, and 1 to {} are possible", between.features.size(), k_columns_max),
                 "name the few columns that may matter: every one of them costs devices");
}

double share(StudyTable& table, std::string_view key, double fallback, double least, double most, std::string_view of) {
  const double value = table.number(key, fallback);
  if (value >= least && value <= most) return value;
  table.refuse(k_bad_value, key, fmt::format("must be from {} to {}: the share of {}", least, most, of),
               fmt::format("write {} = {}", key, fallback));
  return fallback;
}

}  // namespace

void read_between(StudyTable& root, const Study& study, RegressionTerms& terms) {
  if (!root.has("between")) return;
  if (terms.units == RowUnits::own || !terms.protocol->from_all_rows) {
    return root.refuse(
        k_bad_value, "between",
        "compares levels of devices, which takes stated units and a protocol that asks for all rows",
        "write units = \"stated\" in [study], with offset and scale of every feature and the target; the "
        "protocol still lets every device take its own means off");
  }
  if (terms.units == RowUnits::stated) {
    return root.refuse(k_bad_value, "between",
                       "stands beside centre = \"fleet\", with which levels are in every answer",
                       "leave one of them out; [between] goes with centre = \"device\"");
  }
  if (terms.kind == TargetKind::two_classes) {
    return root.refuse(k_bad_value, "between", "explains levels of a number, and the target is a class",
                       "leave [between] out");
  }
  StudyTable table = root.table("between");
  BetweenTerms between;
  read_columns_between(table, study, terms.features, between);
  const auto count = static_cast<std::uint32_t>(std::max<std::size_t>(1, between.features.size()));
  between.variables = std::min(2u, count);
  if (table.has("variables"))
    between.variables = table.whole("variables", 1, count, k_bad_value, "how many of these columns matter at most");
  between.explained = share(table, "explained", between.explained, 0.01, 0.99,
                            "the variance of the devices' levels that these columns explain");
  between.share = share(table, "share", between.share, 0.05, 0.9, "devices that are asked about differences");
  between.insist = table.flag("insist", false);
  table.refuse_unknown();
  if (!table.failed()) terms.between = std::move(between);
}

}  // namespace sotto::analyzer
