// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "predict_columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

namespace sotto::cli {
namespace {

using analyzer::Error;
using analyzer::Model;
using analyzer::ModelColumn;
using analyzer::Result;

/// NaN where there is none; nothing where a field is no number.
std::optional<double> reading_of(const FeatureColumns::Source& source, const std::string& field,
                                 bool has_decimal_comma) {
  const bool is_missing = analyzer::field_is_missing(field);
  if (source.is_missing) return is_missing ? 1 : 0;
  if (source.words == nullptr) {
    return analyzer::field_number(field, has_decimal_comma);
  }
  if (is_missing) return std::numeric_limits<double>::quiet_NaN();
  const std::string word = analyzer::field_level(field);
  const bool is_known = std::ranges::find(source.words->levels, word) != source.words->levels.end();
  return (source.level == "other" ? !is_known : word == source.level) ? 1 : 0;
}

}  // namespace

FeatureColumns::FeatureColumns(const Model& model, const std::vector<std::string>& features) {
  for (const std::string& feature : features) {
    Source source{feature, nullptr, "", false, 0};
    for (const ModelColumn& column : model.columns) {
      if (feature == column.name + " is missing") source = {column.name, nullptr, "", true, 0};
      if (!column.levels.empty() && feature.starts_with(column.name + "="))
        source = {column.name, &column, feature.substr(column.name.size() + 1), false, 0};
    }
    const auto found = std::ranges::find(names_, source.column);
    source.at = static_cast<std::size_t>(found - names_.begin());
    if (found == names_.end()) names_.push_back(source.column);
    sources_.push_back(std::move(source));
  }
}

Result<std::vector<std::vector<double>>> FeatureColumns::readings(const analyzer::ColumnFields& fields,
                                                                  const std::string& data, bool may_miss) const {
  std::vector<std::vector<double>> out;
  for (std::size_t row = 0; row < fields.rows.size(); ++row) {
    out.emplace_back();
    for (const Source& source : sources_) {
      const std::string& field = fields.rows[row][source.at];
      const std::optional<double> reading = reading_of(source, field, fields.has_decimal_comma);
      const auto bad = [&](const char* what, const char* fix) {
        return Error{
            "data.not_a_number",
            fmt::format("{}:{}: {} is {}", data == "-" ? "stdin" : data, fields.lines[row], source.column, what), field,
            fix};
      };
      if (!reading) return bad("not a finite number", "correct it, or leave it empty where there is no reading");
      if (!may_miss && std::isnan(*reading))
        return bad("missing", "fill it in: the device's own mean would stand here, and this file has no devices");
      out.back().push_back(*reading);
    }
  }
  return out;
}

}  // namespace sotto::cli
