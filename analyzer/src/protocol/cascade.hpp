// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <optional>

#include "last_cohort.hpp"
#include "selection.hpp"
#include "sotto/analyzer/protocol/protocol.hpp"
#include "sotto/analyzer/protocol/schedule.hpp"
#include "sotto/analyzer/protocol/spike_and_slab.hpp"

namespace sotto::analyzer {

/// A selection cohort, then estimation cohorts that narrow the candidates while they estimate them: local least squares around
/// the current centre, or gradients while there are too many candidates for a device's rows. Also for means, in place of both.
class Cascade final : public Protocol {
 public:
  Cascade(const RegressionTerms& terms, Schedule schedule, const Manifest& manifest);

  [[nodiscard]] Result<std::optional<std::vector<std::uint8_t>>> open() override;
  Result<Done> close(const RoundAggregate& aggregate) override;
  [[nodiscard]] Model model() const override;

 private:
  [[nodiscard]] Result<RoundDraft> draft();
  [[nodiscard]] Entries known() const;
  void close_selection(const RoundAggregate& aggregate);
  void close_estimation(const RoundAggregate& aggregate);
  void correct_noise(const DirectionAnswer& answer);
  void narrow();
  [[nodiscard]] Posterior posterior(double most_evidence) const;
  void judge(const Posterior& posterior, Model& model) const;

  RegressionTerms terms_;
  SparsePrior prior_;
  Schedule schedule_;
  Digest study_;
  bool means_;
  std::size_t step_ = 0;
  std::vector<double> weighted_, precision_;  // of each feature: sums of estimate / variance and of 1 / variance
  std::vector<double> score_, evidence_;      // of the selection round
  std::vector<std::uint32_t> candidates_;     // S, rising
  std::vector<double> centre_;                // c of every feature
  double noise_;                              // variance that the model leaves of a row: the study's guess, corrected
  double left_;                               // squared length that the centre leaves, as far as is known
  double clipped_ = 0;                        // share of an answer that the last radius is expected to cut off
  DirectionQuestion asked_;
  EmptyShare empty_;
  std::optional<CohortEstimate> last_;
  Model model_;
};

}  // namespace sotto::analyzer
