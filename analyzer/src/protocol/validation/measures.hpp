// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <vector>

#include "sotto/analyzer/protocol/frame/measured.hpp"
#include "sotto/analyzer/protocol/frame/round_draft.hpp"
#include "sotto/analyzer/study/regression_terms.hpp"

// What the cohorts that teach nothing are asked about a finished model, one number a device, and what follows.
namespace sotto::analyzer {

/// The ways to measure a model.
enum class MeasureKind : std::uint8_t {
  none,         ///< a function of the features, which devices do not compute: nothing is measured
  held_out,     ///< labels: the analyst holds the features, and keeps some reports back
  own_numbers,  ///< each device against its own mean
  own_classes,  ///< each device against its own larger class; then the share told right
  all_numbers,  ///< against the mean of all: its mean, its variance, the mean of the fits, then the gain
  all_classes,  ///< against the larger class of all: its share, then the share told right
  mean,         ///< a mean against zero
};
[[nodiscard]] MeasureKind measure_of(const RegressionTerms& terms);

/// The share of the validating devices that each question is asked of; empty if none is asked.
[[nodiscard]] std::vector<double> measure_shares(MeasureKind kind);

/// One question about a model, and its answers.
class Measure {
 public:
  Measure(MeasureKind kind, const RegressionTerms& terms) : kind_(kind), terms_(terms) {}

  [[nodiscard]] bool is_over() const { return answers_.size() == measure_shares(kind_).size(); }
  /// The next question: recipe gain with its parameters and model. Spec, number and cohort are the caller's.
  [[nodiscard]] RoundDraft draft(const Model& model);
  /// The answer to it: a mean in units of the bound, and its standard error.
  void record(const Measured& mean);
  /// The bound of the last question, in the units of its answer.
  [[nodiscard]] double bound() const noexcept { return bound_; }
  /// After the last answer.
  [[nodiscard]] Validation result(const Model& model) const;

 private:
  [[nodiscard]] double length_of_fits(const Model& model) const;
  [[nodiscard]] double fit_bound(const Model& model, double length) const;

  MeasureKind kind_;
  RegressionTerms terms_;
  double bound_ = 1, cut_off_ = 0;
  std::vector<Measured> answers_;  // in the units of the answers
};

/// The half-width that gains are clipped to where the model explains about this share of the variance.
[[nodiscard]] double gain_bound(double explained);

}  // namespace sotto::analyzer
