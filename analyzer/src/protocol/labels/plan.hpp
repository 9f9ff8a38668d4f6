// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The plan of the label protocols: clip, randomizer, and whether the fleet is large enough.

#include <string>

#include "../estimate/clipped_response.hpp"
#include "sotto/analyzer/aggregate/scalar_law.hpp"
#include "sotto/analyzer/protocol/frame/protocol.hpp"
#include "sotto/analyzer/study/protocol_plan.hpp"

namespace sotto::analyzer {

/// The clip of a label in standard deviations of the target. It is wide by default, and narrow if the target's law is
/// declared: the noise of a report is proportional to the bound, and fitting the response removes the clip's bias.
inline constexpr double k_wide_clip = 3, k_narrow_clip = 0.5;

/// How labels are asked, and the expected result. It follows from the study alone.
struct LabelPlan {
  LabelWay way = LabelWay::automatic;
  AnySpec spec;
  std::uint32_t bound_q15 = 1;  ///< the clip in Q15
  double bound = 1;             ///< the same in standard units
  double variance = 0;          ///< that privacy adds to one decoded label, for a normal target
  double second_moment = 0;     ///< of one decoded label, for a normal target
  ClippedResponse::Line line;   ///< linear approximation of the response
  double gain_doubt = 0;        ///< relative standard error of the line's slope, by which coefficients are divided
  double radius = 1;            ///< of the ball that contains the coefficients
  double snr = 0;               ///< squared length of the coefficients over the squared error of their estimate
  std::uint64_t needed = 0;     ///< devices for snr = 3
  std::string why;              ///< which way, and why
  std::string hopeless;         ///< why nothing is asked; empty if devices are asked

  [[nodiscard]] ClippedResponse response(const RegressionTerms& terms) const { return {terms, bound, terms.noise}; }
};

/// Chooses the randomizer and the clip with the least expected error.
/// Refuses  study.bad_delta: no certified (epsilon, delta) for gaussian; what the channels refuse.
[[nodiscard]] Result<LabelPlan> plan_labels(const RegressionTerms& terms);
/// The same as what a manifest needs: one cohort, one round, the question `label`.
/// Refuses  what plan_labels() refuses.
[[nodiscard]] Result<ProtocolPlan> label_manifest(const RegressionTerms& terms);

}  // namespace sotto::analyzer
