// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "../rounds/stepped.hpp"
#include "sotto/analyzer/protocol/frame/row.hpp"

namespace sotto::analyzer {

/// Selection cohorts add variables that explain what the model leaves; estimation cohorts in between answer the average gradient
/// on the chosen ones, clipped to a radius that shrinks, and the model steps along the mean answer. Gradients stay stable where
/// features go along with each other or devices hold few rows, and local least squares does not.
class Boost final : public Stepped {
 public:
  Boost(const RegressionTerms& terms, Schedule schedule, const Manifest& manifest);

  [[nodiscard]] Model model() const override;

 private:
  [[nodiscard]] Entries known() const override { return chosen_; }
  [[nodiscard]] DirectionQuestion next_question() override;
  void close_selection(const Selection& selection) override;
  void close_estimation(const DirectionAnswer& answer) override;
  [[nodiscard]] double significance() const noexcept;
  void judge(Model& model) const;

  Entries chosen_;                  // S with c, features rising
  std::vector<double> variance_;    // of each feature: noise that the steps have carried into it
  double excess_ = 0, spread_ = 0;  // sums of |g|^2 / variance - k, and of its variance 2 k under noise alone
  double sampling_ = 0, noise_ = 0;
};

extern const ProtocolRow k_boost_row;

}  // namespace sotto::analyzer
