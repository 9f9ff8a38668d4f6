// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/central/predict.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "prepare_dense.hpp"
#include "sotto/analyzer/math/target_kind.hpp"

namespace sotto::analyzer::central {
namespace {

Error not_a_number(const ColumnFields& fields, std::size_t row, const std::string& file, const std::string& column,
                   const std::string& text) {
  return {"data.not_a_number", fmt::format("{}:{}: {} is not a finite number", file, fields.lines[row], column), text,
          "fill it in, leave it empty if it is missing, or drop the row"};
}

/// The feature's value in the file's units; NaN if it is missing, nullopt if it is not a number.
std::optional<double> feature_of(const FittedModel& model, const FittedCoefficient& c, const std::string& field,
                                 bool has_decimal_comma) {
  using Kind = FeatureSource::Kind;
  // Zeros and ones go through the transform too, as they did in the fit.
  const Transform transform = model.transform == "log" ? Transform::log : Transform::none;
  if (c.source.kind == Kind::missing) return transformed(field_is_missing(field) ? 1 : 0, transform);
  if (c.source.kind == Kind::number) {
    const std::optional<double> value = field_number(field, has_decimal_comma);
    if (!value) return {};
    return transformed(*value, transform);
  }
  const std::string text = field_level(field);
  const auto column = std::ranges::find(model.levels, c.source.column, &ColumnLevels::column);
  const bool is_known = column != model.levels.end() && std::ranges::find(column->levels, text) != column->levels.end();
  if (!is_known && field_is_missing(field)) return std::nan("");
  const bool is_one = c.source.kind == Kind::level ? text == c.source.level : !is_known;
  return transformed(is_one ? 1 : 0, transform);
}

/// Sums up what features contribute to one prediction, from the one of a row whose features all stand at their offsets.
class Score {
 public:
  explicit Score(const FittedModel& model) : model_(model), sum_(middle_of(model)) {}
  /// `value`: transformed; NaN: missing.
  void add(const FittedCoefficient& c, double value) {
    if (std::isnan(value)) return;
    double scaled = (value - c.offset) / c.deviation;
    if (model_.scaling == "standard") scaled = std::clamp(scaled, -k_standard_clip, k_standard_clip);
    sum_ += c.per_unit * c.deviation * scaled;
  }
  [[nodiscard]] double predicted() const {
    return is_class(model_) ? 1 / (1 + std::exp(-sum_)) : model_.is_count ? count_of_log(sum_) : sum_;
  }

 private:
  static double middle_of(const FittedModel& model) {
    double middle = model.intercept;
    for (const FittedCoefficient& c : model.coefficients) middle += c.per_unit * c.offset;
    return middle;
  }
  const FittedModel& model_;
  double sum_;
};

}  // namespace

Result<Done> can_predict(const FittedModel& model, const std::string& what) {
  if (model.scaling != "rows") return Done{};
  return Error{"predict.rows_scaled", fmt::format("{}: rows were divided by their length", what), "scaling rows",
               "a row's length depends on all its features, and the model names only a few: fit with --scale standard"};
}

std::vector<std::string> columns_of(const FittedModel& model) {
  std::vector<std::string> names;
  for (const FittedCoefficient& c : model.coefficients) {
    if (std::ranges::find(names, c.source.column) == names.end()) names.push_back(c.source.column);
  }
  return names;
}

Result<std::vector<double>> predict(const FittedModel& model, const ColumnFields& fields, const std::string& file) {
  const std::vector<std::string> names = columns_of(model);
  const Score none(model);
  std::vector<double> out;
  for (std::size_t row = 0; row < fields.rows.size(); ++row) {
    Score score = none;
    for (const FittedCoefficient& c : model.coefficients) {
      const auto at = static_cast<std::size_t>(std::ranges::find(names, c.source.column) - names.begin());
      const std::string& field = fields.rows[row][at];
      const std::optional<double> value = feature_of(model, c, field, fields.has_decimal_comma);
      if (!value) return not_a_number(fields, row, file, c.source.column, field);
      score.add(c, *value);
    }
    out.push_back(score.predicted());
  }
  return out;
}

Result<std::vector<double>> predict(const FittedModel& model, const NumberFrame& frame) {
  using Kind = FeatureSource::Kind;
  std::vector<const NumberView*> views;
  for (const FittedCoefficient& c : model.coefficients) {
    const auto at = std::ranges::find(frame.columns, c.source.column, &NumberView::name);
    if (at == frame.columns.end())
      return Error{"data.unknown_column", fmt::format("{}: there is no column of this name", frame.name),
                   c.source.column, "give the data a column of this name"};
    if (c.source.kind == Kind::level || c.source.kind == Kind::other)
      return Error{"data.numbers_only", fmt::format("{}: the feature is a level of a column of text", frame.name),
                   c.name, "pass a frame whose column holds text"};
    views.push_back(&*at);
  }
  const Transform transform = model.transform == "log" ? Transform::log : Transform::none;
  const Score none(model);
  std::vector<double> out(frame.rows);
  for (std::size_t row = 0; row < frame.rows; ++row) {
    Score score = none;
    for (std::size_t i = 0; i < views.size(); ++i) {
      const FittedCoefficient& c = model.coefficients[i];
      const double value = views[i]->at(row);
      score.add(c, transformed(c.source.kind == Kind::missing ? (std::isnan(value) ? 1 : 0) : value, transform));
    }
    out[row] = score.predicted();
  }
  return out;
}

Result<FitTest> test_fit(const FittedModel& model, const std::filesystem::path& file) {
  const std::string name = file == "-" ? "stdin" : file.string();
  if (const auto good = can_predict(model, "the model"); !good) return good.error();
  std::vector<std::string> names = columns_of(model);
  names.push_back(model.target);
  const auto read = read_fields(file, names);
  if (!read) return read.error();
  const ColumnFields& fields = read.value();
  if (fields.rows.empty()) return Error{"data.no_rows", fmt::format("{}: the file has no rows", name), "", "add rows"};
  std::vector<double> targets;
  for (std::size_t row = 0; row < fields.rows.size(); ++row) {
    const std::string& text = fields.rows[row].back();
    std::optional<double> y = field_number(text, fields.has_decimal_comma);
    if (!model.positive.empty()) y = field_level(text) == model.positive ? 1 : 0;
    if (!y || std::isnan(*y) || (!model.positive.empty() && field_is_missing(text)))
      return not_a_number(fields, row, name, model.target, text);
    if (is_class(model) && *y != 0 && *y != 1 && *y != -1)
      return Error{"data.bad_label", fmt::format("{}:{}: the label is not one of two classes", name, fields.lines[row]),
                   text, "the logistic loss takes 0 and 1, or -1 and 1"};
    if (model.is_count && (*y < 0 || *y != std::floor(*y)))
      return Error{"data.bad_count", fmt::format("{}:{}: {} is not a count", name, fields.lines[row], model.target),
                   text, "the model predicts counts, which are whole numbers from 0: correct the value"};
    targets.push_back(is_class(model) ? (*y == 1 ? 1 : 0) : model.is_count ? log_count(*y) : *y);
  }
  const auto predicted = predict(model, fields, name);
  if (!predicted) return predicted.error();
  const auto n = static_cast<double>(targets.size());
  FitTest test{.file = name, .rows = targets.size()};
  double mean = 0;
  for (const double y : targets) mean += y / n;
  for (std::size_t row = 0; row < targets.size(); ++row) {
    const double y = targets[row], said = predicted.value()[row];
    if (is_class(model)) {
      constexpr double k_least = 1e-15;  // keeps the loss finite where a probability was rounded to 0 or 1
      test.error += ((said > 0.5) != (y == 1)) / n;
      test.loss -= std::log(std::clamp(y == 1 ? said : 1 - said, k_least, 1.0)) / n;
    } else {
      const double left = model.is_count ? log_count(said) - y : said - y;
      test.error += left * left / n;
      test.baseline += (mean - y) * (mean - y) / n;
    }
  }
  if (is_class(model)) test.baseline = std::min(mean, 1 - mean);
  return test;
}

}  // namespace sotto::analyzer::central
