// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The protocols cascade and sparse-mean: select candidate variables, then estimate and narrow them cohort by cohort.

#include <optional>

#include "../estimate/averaged_posterior.hpp"
#include "../rounds/last_cohort.hpp"
#include "../rounds/stepped.hpp"
#include "sotto/analyzer/protocol/estimate/spike_and_slab.hpp"
#include "sotto/analyzer/protocol/frame/row.hpp"

namespace sotto::analyzer {

/// A selection cohort, then estimation cohorts that narrow the candidates while they estimate them: by local least
/// squares around the current centre, or by gradients while there are too many candidates for a device's rows.
/// sparse-mean estimates means in place of coefficients.
class Cascade final : public Stepped {
 public:
  Cascade(const RegressionTerms& terms, Schedule schedule, const Manifest& manifest);

  [[nodiscard]] Model model() const override;

 private:
  [[nodiscard]] Entries known() const override;
  [[nodiscard]] DirectionQuestion next_question() override;
  void close_selection(const Selection& selection) override;
  void close_estimation(const DirectionAnswer& answer) override;
  void prepare_step() override;
  void correct_noise(const DirectionAnswer& answer);
  [[nodiscard]] Posterior posterior(double most_evidence) const;
  void describe(const Posterior& posterior, Model& model) const;

  SparsePrior prior_;
  bool means_;
  std::vector<double> weighted_, precision_;    // of each feature: sums of estimate / variance and of 1 / variance
  std::vector<double> score_, evidence_;        // of the selection round
  std::vector<std::uint32_t> candidates_;       // S, in ascending order
  std::vector<double> centre_;                  // c of every feature
  double noise_;                                // variance that the model leaves of a row: the study's guess, corrected
  double left_;                                 // squared length that the centre leaves, as far as is known
  double clipped_ = 0;                          // share of an answer that the last radius is expected to cut off
  bool has_solved_ = false, is_short_ = false;  // a cohort solved least squares; the open round clips at less than R
  std::optional<CohortEstimate> last_;
};

extern const ProtocolRow k_cascade_row;
extern const ProtocolRow k_sparse_mean_row;

}  // namespace sotto::analyzer
