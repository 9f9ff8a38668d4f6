// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The model that `sotto fit` publishes: coefficients, the privacy that they were fitted with, and the statement of
/// what is covered; written as fit.json and shown on the page.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sotto/analyzer/central/fit.hpp"
#include "sotto/analyzer/central/prepare.hpp"

namespace sotto::analyzer::central {

/// One nonzero coefficient.
struct FittedCoefficient {
  std::uint32_t feature = 0;
  std::string name;
  double value = 0;        ///< coefficient of the scaled feature
  double per_unit = 0;     ///< coefficient in the file's units; equal to `value` unless rows were standardised
  FeatureSource source{};  ///< what the feature was made of
  double offset = 0, deviation = 1;  ///< scale of the feature, if rows were standardised
};

/// How well a model predicts a file that was declared public. The result depends on the fitted rows only through the
/// model, so it is as private as the model.
struct FitTest {
  std::string file;
  std::uint64_t rows = 0;
  double error = 0;     ///< mean squared error of a number; share of misclassified rows of a class
  double baseline = 0;  ///< the same when the file's mean target, or its larger class, is predicted
  double loss = 0;      ///< mean logistic loss; 0 for a number
};

/// Everything that `sotto fit` publishes about a model.
struct FittedModel {
  std::string method, why_method, loss, target, scaling;
  std::string transform = "none", positive;  ///< positive: the level of a text target that counts as 1
  bool is_count = false;                     ///< coefficients and errors are those of log(1 + target)
  std::vector<ColumnLevels> levels;          ///< levels of the columns of text
  std::uint64_t rows = 0;
  std::uint32_t features = 0, nonzeros = 0;
  std::string why_nonzeros;
  double intercept = 0;                         ///< belongs to the coefficients per_unit
  std::vector<FittedCoefficient> coefficients;  ///< strongest first; every other one is zero
  bool is_private = false, is_proven = true, is_seeded = false;
  ScalesSource scales_source = ScalesSource::none;
  bool is_common_range = false;  ///< paid scales only: too few rows for a range of each column
  double moments_share = 0;      ///< paid scales only: their share of the budget's precision (sum of 1/z^2)
  double moments_epsilon = 0;    ///< paid scales only: their epsilon alone, at this delta
  double epsilon = 0, epsilon_delivered = 0, delta = 0;
  std::string adjacency;
  double z = 0;  ///< noise multiplier
  std::uint32_t steps = 0;
  double passes = 0, step_size = 0;
  std::vector<std::string> privacy;  ///< the privacy statement, sentence by sentence
  std::vector<std::string> assumed_public;
  std::optional<FitTest> test;
  std::string command, made_by;

  /// Whether all coefficients and the intercept are finite.
  [[nodiscard]] bool is_finite() const;
  /// Whether epsilon covers every number of the model against an adversary who sees all of it.
  [[nodiscard]] bool is_covered() const { return is_private && is_proven && !is_seeded; }
};

/// Describes the result of a fit. `fits` is the number of models that the same call fitted to these rows; the statement
/// says what selecting among them would cost.
[[nodiscard]] FittedModel describe_fit(const PreparedData& data, const FitSettings& settings, const FitResult& result,
                                       bool is_seeded, std::uint32_t fits);

[[nodiscard]] inline bool is_class(const FittedModel& model) { return model.loss == "logistic"; }

inline constexpr std::string_view k_fit_format = "sotto-fit-1";
/// The model as one JSON object with a fixed order of keys; a number that is not finite becomes null.
[[nodiscard]] std::string fit_json(const FittedModel& model);
/// Reads what fit_json wrote. `what` names the text in errors.
/// Refuses   fit.not_a_fit: no JSON object of this format; fit.bad_file: a field is missing or of another kind.
[[nodiscard]] Result<FittedModel> read_fit(std::string_view text, const std::string& what);

/// A short verdict: private, or why not.
[[nodiscard]] std::string_view fit_verdict(const FittedModel& model);
/// The privacy statement in words.
[[nodiscard]] std::vector<std::string> fit_statement(const FittedModel& model, std::uint32_t fits);

[[nodiscard]] std::string_view scaling_name(RowScaling scaling);
[[nodiscard]] std::string_view adjacency_name(Adjacency adjacency);
[[nodiscard]] std::string_view scales_source_name(ScalesSource source);
/// What a method's guarantee rests on, in a few words, for a table.
[[nodiscard]] std::string_view guarantee_text(Method method);

}  // namespace sotto::analyzer::central
