// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/data/table_warnings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "sotto/analyzer/data/usual_range.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::size_t k_rows_min = 20;  // with fewer rows all values may differ by chance
constexpr double k_nearly_all = 0.95;

bool is_named_like_one(std::string name) {
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  constexpr auto k_names = std::to_array<std::string_view>({"", "id", "idx", "index", "key", "no", "nr", "row", "rowid",
                                                            "rownum", "row number", "uuid", "guid", "unnamed: 0"});
  return std::ranges::find(k_names, name) != k_names.end() || name.ends_with("_id") || name.ends_with(" id") ||
         name.ends_with("_index") || name.ends_with("_no");
}

std::vector<double> column_of(const Table& table, std::size_t feature) {
  std::vector<double> values;
  values.reserve(table.rows());
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (const float v = table.row(row)[feature]; !std::isnan(v)) values.push_back(v);
  }
  return values;
}

/// Whether nearly all values are distinct integers that increase from row to row or have few gaps.
bool counts_rows(std::vector<double> values) {
  if (values.size() < k_rows_min) return false;
  if (!std::ranges::all_of(values, [](double v) { return v == std::floor(v); })) return false;
  const auto count = static_cast<double>(values.size());
  double rising = 1;
  for (std::size_t i = 1; i < values.size(); ++i) rising += values[i] > values[i - 1];
  std::ranges::sort(values);
  const double range = values.back() - values.front();
  values.erase(std::unique(values.begin(), values.end()), values.end());
  const bool is_different = static_cast<double>(values.size()) >= k_nearly_all * count;
  return is_different && (rising >= k_nearly_all * count || range < 2 * count);
}

std::string outlier_note(const std::string& name, const std::vector<double>& values) {
  const UsualRange usual = usual_range(values);
  const auto beyond = std::ranges::count_if(values, [&](double v) { return v < usual.low || v > usual.high; });
  if (beyond == 0) return {};
  return fmt::format(
      "{}: {} of {} values lie beyond {:.4g} .. {:.4g}, {:g} deviations of the column (by its deciles) "
      "around its median; they count as the nearer end for its scale, and are clipped like all values",
      name, beyond, values.size(), usual.low, usual.high, k_usual_deviations);
}

}  // namespace

std::vector<std::string> identifier_warnings(const Table& table) {
  std::vector<std::string> warnings;
  for (std::size_t j = 0; j < table.features.size(); ++j) {
    if (table.sources[j].kind != FeatureSource::Kind::number) continue;
    const std::string& name = table.features[j];
    const bool by_name = is_named_like_one(name);
    if (!by_name && !counts_rows(column_of(table, j))) continue;
    warnings.push_back(
        fmt::format("the column {} looks like an identifier ({}) and is used as a feature: leave it "
                    "out with --leave-out {}",
                    name, by_name ? "by its name" : "nearly all its values are different whole numbers", name));
  }
  return warnings;
}

std::vector<std::string> outlier_notes(const Table& table, const std::string& target) {
  std::vector<std::string> notes;
  const auto add = [&](std::string note) {
    if (!note.empty()) notes.push_back(std::move(note));
  };
  for (std::size_t j = 0; j < table.features.size(); ++j) add(outlier_note(table.features[j], column_of(table, j)));
  if (!target.empty()) add(outlier_note(target, {table.y.begin(), table.y.end()}));
  return notes;
}

}  // namespace sotto::analyzer
