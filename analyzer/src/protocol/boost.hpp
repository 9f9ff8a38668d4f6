// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "last_cohort.hpp"
#include "selection.hpp"
#include "sotto/analyzer/protocol/protocol.hpp"
#include "sotto/analyzer/protocol/schedule.hpp"

namespace sotto::analyzer {

/// Selection cohorts add variables that explain what the model leaves; estimation cohorts in between answer the average gradient
/// on the chosen ones, clipped to a radius that shrinks, and the model steps along the mean answer. Gradients stay stable where
/// features go along with each other or devices hold few rows, and local least squares does not.
class Boost final : public Protocol {
 public:
  Boost(const RegressionTerms& terms, Schedule schedule, const Manifest& manifest);

  [[nodiscard]] Result<std::optional<std::vector<std::uint8_t>>> open() override;
  Result<Done> close(const RoundAggregate& aggregate) override;
  [[nodiscard]] Model model() const override;

 private:
  [[nodiscard]] Result<RoundDraft> draft();
  void close_selection(const RoundAggregate& aggregate);
  void close_estimation(const RoundAggregate& aggregate);
  [[nodiscard]] double significance() const noexcept;
  void judge(Model& model) const;

  RegressionTerms terms_;
  Schedule schedule_;
  Digest study_;
  std::size_t step_ = 0;
  Entries chosen_;                  // S with c, features rising
  std::vector<double> variance_;    // of each feature: noise that the steps have carried into it
  double excess_ = 0, spread_ = 0;  // sums of |g|^2 / variance - k, and of its variance 2 k under noise alone
  double sampling_ = 0, noise_ = 0;
  DirectionQuestion asked_;
  EmptyShare empty_;
  Model model_;
};

}  // namespace sotto::analyzer
