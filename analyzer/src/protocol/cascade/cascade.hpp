// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <optional>

#include "../rounds/last_cohort.hpp"
#include "../rounds/stepped.hpp"
#include "sotto/analyzer/protocol/estimate/spike_and_slab.hpp"
#include "sotto/analyzer/protocol/frame/row.hpp"

namespace sotto::analyzer {

/// A selection cohort, then estimation cohorts that narrow the candidates while they estimate them: local least squares around
/// the current centre, or gradients while there are too many candidates for a device's rows. Also for means, in place of both.
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
  void judge(const Posterior& posterior, Model& model) const;

  SparsePrior prior_;
  bool means_;
  std::vector<double> weighted_, precision_;  // of each feature: sums of estimate / variance and of 1 / variance
  std::vector<double> score_, evidence_;      // of the selection round
  std::vector<std::uint32_t> candidates_;     // S, rising
  std::vector<double> centre_;                // c of every feature
  double noise_;                              // variance that the model leaves of a row: the study's guess, corrected
  double left_;                               // squared length that the centre leaves, as far as is known
  double clipped_ = 0;                        // share of an answer that the last radius is expected to cut off
  std::optional<CohortEstimate> last_;
};

extern const ProtocolRow k_cascade_row;
extern const ProtocolRow k_sparse_mean_row;

}  // namespace sotto::analyzer
