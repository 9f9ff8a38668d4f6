// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <string>

#include "../estimate/clipped_response.hpp"
#include "sotto/analyzer/aggregate/scalar_law.hpp"
#include "sotto/analyzer/protocol/frame/protocol.hpp"
#include "sotto/analyzer/study/protocol_plan.hpp"

namespace sotto::analyzer {

/// The clip of a label in standard deviations of the target. Wide by default; narrow where the target's law is declared, because what a
/// report's noise costs goes with the bound, and the response undoes the clip.
inline constexpr double k_wide_clip = 3, k_narrow_clip = 0.5;

/// How labels are asked, and what can be expected of it. All of it follows from the study.
struct LabelPlan {
  LabelWay way = LabelWay::automatic;
  AnySpec spec;
  std::uint32_t bound_q15 = 1;  ///< the clip, as devices count
  double bound = 1;             ///< the same in standard units
  double variance = 0;          ///< of one decoded label that privacy adds, for a normal target
  double second_moment = 0;     ///< of one decoded label, for a normal target
  ClippedResponse::Line line;   ///< of the response
  double gain_doubt = 0;        ///< by which part of itself the line's gain may be wrong, one standard deviation
  double radius = 1;            ///< of the ball that the coefficients are in
  double snr = 0;
  std::uint64_t needed = 0;  ///< devices for snr = 3
  std::string why;           ///< which way, and why
  std::string hopeless;      ///< why nothing is asked; empty: worth asking

  [[nodiscard]] ClippedResponse response(const RegressionTerms& terms) const { return {terms, bound, terms.noise}; }
};

/// Refuses  study.bad_delta: no certified (epsilon, delta) for gaussian; what the channels refuse.
[[nodiscard]] Result<LabelPlan> plan_labels(const RegressionTerms& terms);
[[nodiscard]] Result<ProtocolPlan> label_manifest(const RegressionTerms& terms);

}  // namespace sotto::analyzer
