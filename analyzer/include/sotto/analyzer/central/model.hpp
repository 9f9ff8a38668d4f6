// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// @file
/// The model that `sotto fit` gives out, with what was spent on it.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sotto/analyzer/central/fit.hpp"
#include "sotto/analyzer/central/prepare.hpp"

namespace sotto::analyzer::central {

struct FittedCoefficient {
  std::uint32_t feature = 0;
  std::string name;
  double value = 0;     ///< of the scaled feature
  double per_unit = 0;  ///< of the feature as the file has it; the same as value unless rows were standardised
};

/// What `sotto fit` gives out.
struct FittedModel {
  std::string method, why_method, loss, target, scaling;
  std::uint64_t rows = 0;
  std::uint32_t features = 0, nonzeros = 0;
  double intercept = 0;                         ///< that belongs to per_unit
  std::vector<FittedCoefficient> coefficients;  ///< strongest first; every other one is zero
  bool is_private = false, is_proven = true, is_seeded = false;
  ScalesSource scales_source = ScalesSource::none;
  bool is_common_range = false;  ///< of paid scales
  double moments_share = 0,
         moments_epsilon = 0;  ///< of paid scales: of the budget's precision, and alone at this delta
  double epsilon = 0, epsilon_delivered = 0, delta = 0;
  std::string adjacency;
  double z = 0;  ///< noise multiplier
  std::uint32_t steps = 0;
  double passes = 0, step_size = 0;
  std::vector<std::string> privacy;  ///< the statement, sentence by sentence
  std::vector<std::string> assumed_public;
  std::string command, made_by;

  /// Is every coefficient a number, and the intercept?
  [[nodiscard]] bool is_finite() const;
  /// Does epsilon cover every number of the model, in the hands of somebody who has all of it?
  [[nodiscard]] bool is_covered() const { return is_private && is_proven && !is_seeded; }
};

/// `fits`: how many models were fitted to these rows in the same call, for what choosing among them would cost.
[[nodiscard]] FittedModel describe_fit(const PreparedData& data, const FitSettings& settings, const FitResult& result,
                                       bool is_seeded, std::uint32_t fits);

inline constexpr std::string_view k_fit_format = "sotto-fit-1";
/// One JSON object, always in the same order; a number that is not finite becomes null.
[[nodiscard]] std::string fit_json(const FittedModel& model);

/// In a word or two: private, or why not.
[[nodiscard]] std::string_view fit_verdict(const FittedModel& model);
/// What the numbers promise, in words.
[[nodiscard]] std::vector<std::string> fit_statement(const FittedModel& model, std::uint32_t fits);

[[nodiscard]] std::string_view scaling_name(RowScaling scaling);
[[nodiscard]] std::string_view adjacency_name(Adjacency adjacency);
[[nodiscard]] std::string_view scales_source_name(ScalesSource source);
/// What a method's epsilon stands on, in a few words, for a table.
[[nodiscard]] std::string_view guarantee_text(Method method);

}  // namespace sotto::analyzer::central
