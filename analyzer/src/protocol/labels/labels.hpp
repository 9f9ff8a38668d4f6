// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <optional>

#include "fit.hpp"
#include "sotto/analyzer/protocol/frame/protocol.hpp"

namespace sotto::analyzer {

/// label-iht and label-lasso (Wang and Xu, Alg. 2, with the clip that its privacy needs): every device is asked once for the target of one
/// record, and the analyzer, who holds the features, fits a sparse model to what comes back. One round, every device.
class Labels final : public Protocol {
 public:
  /// `design` may be nothing: then close() refuses.
  Labels(const RegressionTerms& terms, LabelPlan plan, const Manifest& manifest, const PublicDesign* design);

  [[nodiscard]] Result<std::optional<std::vector<std::uint8_t>>> open() override;
  /// Refuses  protocol.too_few; protocol.no_design; protocol.other_design: of another number of features; protocol.no_rows: no report belongs
  ///          to a row of it.
  Result<Done> close(const RoundAggregate& aggregate) override;
  [[nodiscard]] Model model() const override;

 private:
  [[nodiscard]] LabelFit fit(const LabelRows& rows, LabelPart part) const;
  void put_intervals(const LabelRows& rows);
  void look_at_law(const LabelRows& rows, const ScalarLaw& law);
  void judge(const LabelFit& all, std::uint64_t used);

  RegressionTerms terms_;
  LabelPlan plan_;
  Digest study_;
  const PublicDesign* design_;
  bool closed_ = false;
  bool law_fits_ = true;
  Model model_;
};

}  // namespace sotto::analyzer
