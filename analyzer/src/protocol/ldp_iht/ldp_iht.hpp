// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The protocol ldp-iht: item-level privacy, gradients of single rows, and a sparse model that improves from cohort to
/// cohort.

#include <algorithm>
#include <map>

#include "../rounds/last_cohort.hpp"
#include "history.hpp"
#include "plan.hpp"
#include "sotto/analyzer/protocol/frame/round_protocol.hpp"
#include "sotto/analyzer/protocol/frame/row.hpp"

namespace sotto::analyzer {

/// Item level (Wang and Xu): disjoint cohorts report the gradient of one row's loss around a broadcast centre.
///
/// Default  blocks of signs if features are signs, else directions. The bound of residuals follows the expected
///          residual around the centre. Cohorts are combined by inverse variance and shrunk to a sparse posterior mean,
///          which is the next centre. The coordinates asked about are those that are expected to reduce the error most.
/// Paper    one bit a device about all coordinates: theta <- project(truncate(theta - eta * mean gradient, s)).
class LdpIht final : public RoundProtocol {
 public:
  LdpIht(const RegressionTerms& terms, ItemPlan plan, const Manifest& manifest);

  [[nodiscard]] Model model() const override;

 private:
  [[nodiscard]] bool is_over() const override { return closed() == plan_.shares.size() || !plan_.hopeless.empty(); }
  [[nodiscard]] Result<RoundDraft> draft() override;
  void written(const RoundDraft& draft) override;
  /// At least two: one report has no variance.
  [[nodiscard]] std::uint32_t minimum() const override { return std::max(2u, terms_.minimum); }
  Result<Done> record(const RoundAggregate& aggregate) override;
  void prepare_next() override;
  [[nodiscard]] bool is_class() const noexcept { return terms_.link == TargetLink::logistic; }
  [[nodiscard]] double precision_of_next(std::size_t coordinates) const;
  void prepare_question();
  void prepare_candidates();
  [[nodiscard]] CohortSteps steps_of(const VectorMean& mean);
  [[nodiscard]] CohortSteps block_steps(const VectorMean& mean) const;
  [[nodiscard]] CohortSteps direction_steps(const VectorMean& mean);
  [[nodiscard]] double own_stretch(const CohortSteps& cohort) const;
  void step_as_the_paper(const CohortSteps& cohort);
  void recentre();
  /// The factor that coefficients are divided by: 1, except for classes, whose signs only show theta times a mean
  /// slope.
  [[nodiscard]] double attenuation() const;
  void put_coefficients(Model& model) const;
  void describe(Model& model) const;

  ItemPlan plan_;
  double noise_;      // standard deviation of the residual, in units of theta
  double signal_;     // expected squared norm of the coefficients, in the same units
  double deviation_;  // of a residual around the centre
  ItemHistory history_;
  std::vector<double> centre_;  // c of every feature
  std::vector<std::uint32_t> candidates_;
  ItemQuestion asked_;
  double left_;          // expected squared distance of the centre from the truth
  double sampling_ = 0;  // share of the last cohort's variance that remains without privacy
  std::uint64_t last_used_ = 0;
  mutable std::map<std::size_t, double> efficiency_;  // of the randomizer, by coordinates
};

extern const ProtocolRow k_ldp_iht_row;

}  // namespace sotto::analyzer
