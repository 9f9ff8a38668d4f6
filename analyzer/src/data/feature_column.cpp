// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "feature_column.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "csv_number.hpp"
#include "sotto/analyzer/data/columns.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::size_t k_levels_max = 50;  // limit for a column whose levels are taken from the data
constexpr float k_missing = std::numeric_limits<float>::quiet_NaN();

}  // namespace

FeatureColumn::FeatureColumn(std::string name, const TableColumns& how)
    : name_(std::move(name)),
      takes_levels_(how.takes_levels_from_data),
      leaves_out_dates_(how.leaves_out_dates),
      keeps_missing_(how.keeps_missing) {
  has_is_missing_ = std::ranges::any_of(how.is_missing, [&](const auto& each) { return column_name(each) == name_; });
  for (const ColumnLevels& given : how.levels) {
    if (column_name(given.column) != name_) continue;
    kind_ = Kind::levels;
    has_other_ = true;
    for (const std::string& level : given.levels) {
      levels_.push_back(field_level(level));
      place_of_.emplace(levels_.back(), levels_.size() - 1);
    }
  }
}

std::optional<Error> FeatureColumn::read_plain(const CsvReader& csv, std::string_view text, float& out) {
  const Number parsed = kind_ == Kind::dates ? Number::not_a_number : parse_number(text, csv.separator() == ';', out);
  if (parsed == Number::good) {
    kind_ = Kind::number;
    return {};
  }
  if (keeps_missing_ && is_missing(text)) {
    out = k_missing;
    return {};
  }
  if (parsed == Number::not_finite)
    return csv.refuse("data.not_finite", fmt::format("{} is not a finite number of at most 3.4e38", name_), text,
                      "fill it in, or drop the row");
  if (kind_ == Kind::unknown && !is_missing(text)) return read_first_text(csv, text, out);
  if (kind_ == Kind::dates) {
    out = 0;
    if (is_date(text)) return {};
    return csv.refuse("data.not_a_date", fmt::format("{} is not a date, as the lines before are", name_), text,
                      fmt::format("correct it, or leave the column out with --leave-out {}", name_));
  }
  return csv.refuse("data.not_a_number",
                    fmt::format("{} {}", name_, is_missing(text) ? "is missing" : "is not a number"), text,
                    fmt::format("fill it in, drop the row, or leave the column out: --leave-out {0}, or the name "
                                "meta_{0}",
                                name_));
}

// The first value of a column decides that it holds dates or text.
std::optional<Error> FeatureColumn::read_first_text(const CsvReader& csv, std::string_view text, float& out) {
  if (leaves_out_dates_ && is_date(text)) {
    kind_ = Kind::dates;
    out = 0;
    return {};
  }
  if (takes_levels_) {
    kind_ = Kind::levels;
    return read_level(csv, text, out);
  }
  return csv.refuse("data.text_column", fmt::format("{} is not a number: the column holds text", name_), text,
                    fmt::format("name the levels that it can have, --levels {0}=LEVEL,LEVEL,... (from what is public, "
                                "not from the rows), or leave the column out: --leave-out {0}, or the name meta_{0}",
                                name_));
}

std::optional<Error> FeatureColumn::read_level(const CsvReader& csv, std::string_view text, float& out) {
  std::string level = field_level(text);
  if (const auto at = place_of_.find(level); at != place_of_.end()) {
    out = static_cast<float>(at->second);
    return {};
  }
  if (is_missing(text)) {
    out = k_missing;
    if (keeps_missing_) return {};
    return csv.refuse("data.not_a_number", fmt::format("{} is missing", name_), text, "fill it in, or drop the row");
  }
  out = static_cast<float>(levels_.size());
  if (has_other_) return {};
  if (levels_.size() == k_levels_max)
    return csv.refuse("data.many_levels",
                      fmt::format("{} is a column of text with more than {} levels", name_, k_levels_max), text,
                      fmt::format("leave it out with --leave-out {0}, or name the levels that matter: --levels "
                                  "{0}=LEVEL,LEVEL,...",
                                  name_));
  place_of_.emplace(level, levels_.size());
  levels_.push_back(std::move(level));
  return {};
}

void FeatureColumn::describe(Table& table) const {
  using Made = FeatureSource::Kind;
  const auto add = [&](std::string name, Made kind, std::string level = {}) {
    table.features.push_back(std::move(name));
    table.sources.push_back({kind, name_, std::move(level)});
  };
  if (kind_ <= Kind::number) add(name_, Made::number);
  if (kind_ == Kind::levels) {
    for (const std::string& level : levels_) add(fmt::format("{}={}", name_, level), Made::level, level);
    if (has_other_) add(fmt::format("{}=other", name_), Made::other);
    table.levels.push_back({name_, levels_});
  }
  if (has_is_missing_) add(fmt::format("{} is missing", name_), Made::missing);
}

void FeatureColumn::expand(float value, std::vector<float>& row) const {
  if (kind_ <= Kind::number) row.push_back(value);
  if (kind_ == Kind::levels) {
    const std::size_t size = levels_.size() + (has_other_ ? 1 : 0);
    for (std::size_t i = 0; i < size; ++i) {
      row.push_back(std::isnan(value) ? k_missing : value == static_cast<float>(i) ? 1.0f : 0.0f);
    }
  }
  if (has_is_missing_) row.push_back(std::isnan(value) ? 1.0f : 0.0f);
}

}  // namespace sotto::analyzer
