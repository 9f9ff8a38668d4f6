// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "expand_columns.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "../text/did_you_mean.hpp"
#include "sotto/analyzer/channel/reading_scale.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::string_view k_other = "other";
// Of a feature that is 0 or 1: half of all rows have it, and full scale is four standard deviations, as for others.
constexpr double k_level_middle = 0.5, k_level_scale = 2;

std::string known_names(const std::vector<std::string>& names, std::string_view typed) {
  const std::string_view near = did_you_mean(typed, names);
  return near.empty() ? "name it among the features too" : fmt::format("is it \"{}\"?", near);
}

}  // namespace

void read_columns(StudyTable& root, StudyTable& study, StudyTerms& terms) {
  if (study.has("missing_features")) terms.missing = study.names("missing_features");
  StudyTable levels = root.table("levels", false);
  for (const std::string& column : levels.keys()) {
    terms.levels.push_back({.name = column, .levels = levels.names(column)});
    const std::vector<std::string>& words = terms.levels.back().levels;
    if (words.empty())
      levels.refuse(k_bad_value, column, "has no level", "list the words that it can have, or leave it out: a number");
    if (std::ranges::find(words, k_other) != words.end())
      levels.refuse(k_bad_value, column, "lists \"other\", which is the level of every word that is not listed",
                    "leave it out, or give that word another name");
  }
}

std::uint32_t expand_columns(StudyTable& table, std::uint32_t features, Study& study) {
  StudyTerms& terms = study.terms;
  if (terms.levels.empty() && terms.missing.empty()) return features;
  const std::vector<std::string> names = study.features;
  const auto is_named = [&](const std::string& name, std::string_view where) {
    if (std::ranges::find(names, name) != names.end()) return true;
    table.refuse(k_bad_value, "features", fmt::format("do not name \"{}\", which stands in {}", name, where),
                 names.empty() ? "write features as a list of names" : known_names(names, name));
    return false;
  };
  for (const StudyColumn& column : terms.levels) {
    if (!is_named(column.name, "[levels]")) return features;
  }
  for (const std::string& name : terms.missing) {
    if (!is_named(name, "study.missing_features")) return features;
  }
  const Result<ReadingScale> of_level = reading_scale(k_level_middle, k_level_scale);
  const bool is_common = terms.quantities.size() == 1;
  // Devices that use their own units need no scales: one line for all stays one.
  const bool has_scales = !is_common || terms.quantities.front().is_stated;
  std::vector<Quantity> quantities;
  std::vector<ReadingScale> scales;
  std::set<std::string> seen;
  study.features.clear();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto found = std::ranges::find(terms.levels, names[i], &StudyColumn::name);
    StudyColumn column = found == terms.levels.end() ? StudyColumn{.name = names[i]} : *found;
    column.has_missing = std::ranges::find(terms.missing, names[i]) != terms.missing.end();
    column.first = static_cast<std::uint32_t>(study.features.size());
    for (const std::string& feature : column.feature_names()) {
      const bool is_number = feature == column.name;
      Quantity quantity = terms.quantities[is_common ? 0 : i];
      if (!is_number) quantity = {feature, "", k_level_middle, k_level_scale, true};
      quantities.push_back(quantity);
      scales.push_back(is_number ? terms.scales[terms.scales.size() == 1 ? 0 : i] : of_level.value());
      study.features.push_back(feature);
      if (!seen.insert(feature).second)
        table.refuse(k_bad_value, "features", fmt::format("become two features with the name \"{}\"", feature),
                     "rename a feature or a level");
    }
    study.columns.push_back(std::move(column));
  }
  if (has_scales) {
    terms.quantities = std::move(quantities);
    terms.scales = std::move(scales);
  }
  return static_cast<std::uint32_t>(study.features.size());
}

}  // namespace sotto::analyzer
