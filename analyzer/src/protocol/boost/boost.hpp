// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The protocol boost: alternates between selecting variables and gradient steps on the selected ones.

#include <optional>

#include "../rounds/last_cohort.hpp"
#include "../rounds/stepped.hpp"
#include "sotto/analyzer/protocol/frame/row.hpp"

namespace sotto::analyzer {

/// Selection cohorts add variables that explain the residual of the model. Estimation cohorts in between report the
/// average gradient on the chosen variables, clipped to a shrinking radius, and the model takes a step along the mean
/// report. Gradients remain stable if features are correlated or devices hold few rows, where local least squares does
/// not. Where devices hold enough rows a last cohort solves least squares on the variables that stand out: intervals come
/// from it alone, and the model is moved towards it. Elsewhere it takes one more step.
class Boost final : public Stepped {
 public:
  Boost(const RegressionTerms& terms, Schedule schedule, const Manifest& manifest);

  [[nodiscard]] Model model() const override;

 private:
  [[nodiscard]] Entries known() const override { return chosen_; }
  [[nodiscard]] DirectionQuestion next_question() override;
  void close_selection(const Selection& selection) override;
  void close_estimation(const DirectionAnswer& answer) override;
  /// The chosen variables that are far out of the noise which their steps have added.
  [[nodiscard]] Entries outstanding() const;
  [[nodiscard]] std::optional<DirectionQuestion> interval_question() const;
  [[nodiscard]] std::string why_no_intervals() const;
  [[nodiscard]] double significance() const noexcept;
  void use_last_cohort(Model& model) const;
  void describe(std::size_t stand_out, Model& model) const;

  Entries chosen_;                  // the chosen variables S with their coefficients, in ascending order
  std::vector<double> variance_;    // of each feature: variance of the noise that the steps have added
  double excess_ = 0, spread_ = 0;  // sums of |g|^2 / variance - k, and of its variance 2 k under noise alone
  double sampling_ = 0, noise_ = 0;
  std::optional<CohortEstimate> last_;
};

extern const ProtocolRow k_boost_row;

}  // namespace sotto::analyzer
