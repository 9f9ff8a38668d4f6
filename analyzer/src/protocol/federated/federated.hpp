// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The protocol federated-ht: devices improve a broadcast sparse model on their own rows and report the difference.

#include "plan.hpp"
#include "sotto/analyzer/protocol/frame/round_protocol.hpp"
#include "sotto/analyzer/protocol/frame/row.hpp"
#include "sotto/analyzer/protocol/rounds/direction.hpp"

namespace sotto::analyzer {

/// federated-ht (Liang et al., 6.4): a device of the cohort takes K hard-thresholded gradient steps from the broadcast
/// model on its own rows, and reports the clipped difference as a direction. The server adds the mean difference to the
/// model, averages over cohorts, keeps the largest coefficients and broadcasts them to the next cohort. For linear and
/// logistic models. Each device answers once.
class Federated final : public RoundProtocol {
 public:
  Federated(const RegressionTerms& terms, FederatedPlan plan, const Manifest& manifest);

  [[nodiscard]] Model model() const override;

 private:
  [[nodiscard]] bool is_over() const override { return closed() == plan_.rounds || !plan_.hopeless.empty(); }
  [[nodiscard]] Result<RoundDraft> draft() override;
  void written(const RoundDraft& draft) override;
  Result<Done> record(const RoundAggregate& aggregate) override;
  [[nodiscard]] std::vector<double> now() const;

  FederatedPlan plan_;
  Entries broadcast_;                     // in standard units, as devices see it
  std::vector<double> weighted_, noise_;  // sums over cohorts: weight times estimate, weight^2 times variance
  double weight_ = 0;
  std::uint64_t used_ = 0;
};

extern const ProtocolRow k_federated_row;

}  // namespace sotto::analyzer
