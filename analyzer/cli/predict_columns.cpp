// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "predict_columns.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "sotto/analyzer/data/columns.hpp"

namespace sotto::cli {
namespace {

using analyzer::Error;
using analyzer::Model;
using analyzer::ModelColumn;
using analyzer::Result;

/// What a feature is made of; a plain number has the column of its own name.
struct Source {
  std::string column;
  const ModelColumn* words = nullptr;  // of a level or "other"
  std::string level;
  bool is_missing = false;
};

Source source_of(const Model& model, const std::string& feature) {
  for (const ModelColumn& column : model.columns) {
    if (feature == column.name + " is missing") return {column.name, nullptr, "", true};
    if (!column.levels.empty() && feature.starts_with(column.name + "="))
      return {column.name, &column, feature.substr(column.name.size() + 1), false};
  }
  return {feature, nullptr, "", false};
}

std::string without_spaces(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::optional<double> reading_of(const Source& source, const std::string& field, bool has_decimal_comma) {
  const bool is_missing = analyzer::field_is_missing(field);
  if (source.is_missing) return is_missing ? 1 : 0;
  if (source.words == nullptr) {
    const std::optional<double> value = analyzer::field_number(field, has_decimal_comma);
    return value && std::isnan(*value) ? std::nullopt : value;
  }
  if (is_missing) return {};
  const std::string word = without_spaces(field);
  const bool is_known = std::ranges::find(source.words->levels, word) != source.words->levels.end();
  return (source.level == "other" ? !is_known : word == source.level) ? 1 : 0;
}

}  // namespace

Result<std::vector<std::vector<double>>> read_features(const Model& model, const std::vector<std::string>& features,
                                                       const std::string& data) {
  if (model.columns.empty()) return analyzer::read_columns(data, features);
  std::vector<Source> sources;
  std::vector<std::string> columns;
  for (const std::string& feature : features) {
    sources.push_back(source_of(model, feature));
    if (std::ranges::find(columns, sources.back().column) == columns.end()) columns.push_back(sources.back().column);
  }
  const auto fields = analyzer::read_fields(data, columns);
  if (!fields) return fields.error();
  std::vector<std::vector<double>> out;
  for (std::size_t row = 0; row < fields.value().rows.size(); ++row) {
    out.emplace_back();
    for (const Source& source : sources) {
      const auto at = static_cast<std::size_t>(std::ranges::find(columns, source.column) - columns.begin());
      const std::string& field = fields.value().rows[row][at];
      const std::optional<double> reading = reading_of(source, field, fields.value().has_decimal_comma);
      if (!reading)
        return Error{"data.not_a_number",
                     fmt::format("{}:{}: {} is missing or not a number", data == "-" ? "stdin" : data,
                                 fields.value().lines[row], source.column),
                     field, "fill it in: the device's mean would stand here, and a file has no devices"};
      out.back().push_back(*reading);
    }
  }
  return out;
}

}  // namespace sotto::cli
