// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The protocols label-iht and label-lasso: devices report only their randomized target, and the analyzer holds the
/// features.

#include "fit.hpp"
#include "sotto/analyzer/protocol/frame/round_protocol.hpp"
#include "sotto/analyzer/protocol/frame/row.hpp"

namespace sotto::analyzer {

/// The solver that fits the coefficients to the labels.
enum class LabelSolver : std::uint8_t { iht, lasso };

/// label-iht and label-lasso (Wang and Xu, Alg. 2, with the clip that its privacy needs). One round asks every device
/// for the target of one record; the analyzer, which holds the features, fits a sparse model to the reports.
class Labels final : public RoundProtocol {
 public:
  /// `design` may be null; close() then refuses.
  Labels(const RegressionTerms& terms, LabelPlan plan, const Manifest& manifest, const PublicDesign* design,
         LabelSolver solver);

  [[nodiscard]] Model model() const override;

 private:
  [[nodiscard]] bool is_over() const override { return closed() == 1 || !plan_.hopeless.empty(); }
  [[nodiscard]] Result<RoundDraft> draft() override;
  /// Refuses  protocol.no_design; protocol.other_design: it has another number of features; protocol.no_rows: no report
  ///          belongs to one of its rows.
  Result<Done> record(const RoundAggregate& aggregate) override;
  [[nodiscard]] LabelFit fit(const LabelRows& rows, LabelPart part) const;
  void put_intervals(const LabelRows& rows);
  void look_at_law(const LabelRows& rows, const ScalarLaw& law);
  /// Predicts the rows that were held back.
  void validate(const LabelRows& rows, const LabelFit& all);
  void describe(const LabelFit& all, std::uint64_t used);

  LabelPlan plan_;
  const PublicDesign* design_;
  LabelSolver solver_;
  bool law_fits_ = true;
};

extern const ProtocolRow k_label_iht_row;
extern const ProtocolRow k_label_lasso_row;

}  // namespace sotto::analyzer
