// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "plan.hpp"
#include "sotto/analyzer/protocol/rounds/direction.hpp"

namespace sotto::analyzer {

/// federated-ht (Liang et al., 6.4): a device of the cohort takes the broadcast model, goes K hard-thresholded steps on its own rows, and
/// reports the clipped difference as a direction. The server adds the mean difference to the model, averages over cohorts, keeps the
/// largest coefficients and broadcasts them to the next cohort. Linear and logistic. Every device is asked once.
class Federated final : public Protocol {
 public:
  Federated(const RegressionTerms& terms, FederatedPlan plan, const Manifest& manifest);

  [[nodiscard]] Result<std::optional<std::vector<std::uint8_t>>> open() override;
  /// Refuses  protocol.too_few.
  Result<Done> close(const RoundAggregate& aggregate) override;
  [[nodiscard]] Model model() const override;

 private:
  [[nodiscard]] RoundDraft draft() const;
  [[nodiscard]] std::vector<double> now() const;

  RegressionTerms terms_;
  FederatedPlan plan_;
  Digest study_;
  std::uint32_t round_ = 0;               // closed
  Entries broadcast_;                     // in standard units, as devices see it
  std::vector<double> weighted_, noise_;  // sums over cohorts: weight times estimate, weight^2 times variance
  double weight_ = 0;
  std::uint64_t used_ = 0;
  Model model_;
};

}  // namespace sotto::analyzer
