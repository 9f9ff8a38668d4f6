// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Rounds in which each device reports a vector in a ball (a "direction"): local coefficients, gradients, means or
/// scores. Also drafts votes, which take the same broadcast model.

#include "sotto/analyzer/aggregate/vector_sums.hpp"
#include "sotto/analyzer/protocol/frame/round_draft.hpp"
#include "sotto/analyzer/study/regression_terms.hpp"

namespace sotto::analyzer {

/// What a device computes on the chosen features S around the centre c, in standard deviations of feature and target.
enum class LocalAnswer {
  least_squares,  ///< coefficients of y - X c on S
  gradient,       ///< X_S'(y - X c) / m
  means,          ///< mean of x_S - c
};

/// Ridge of local least squares, relative to the features' mean squares of 1, so that collinear columns share what they
/// explain.
inline constexpr double k_local_ridge = 0.05;

/// The factor from the protocol's units to those of a device's answer, whose features and targets are fractions of full
/// scale.
[[nodiscard]] double device_unit(LocalAnswer answer, double unit);
/// Sets the recipe of a draft with its parameters, and converts the draft's model to the units that the recipe expects.
void put_local_answer(const RegressionTerms& terms, LocalAnswer answer, RoundDraft& draft);

/// The randomizer for this dimension with the least error among those that a small device can afford.
/// Refuses  what propose_direction() refuses.
[[nodiscard]] Result<AnySpec> best_direction(EpsilonNano epsilon, std::uint32_t dimension);
/// A radius or bound in Q24, at least one unit.
[[nodiscard]] std::uint32_t positive_q24(double value) noexcept;

/// A question about a vector in a ball, in the protocol's units. Devices compute in fractions of full scale.
struct DirectionQuestion {
  LocalAnswer answer = LocalAnswer::gradient;
  double radius = 1;
  Entries centre;  ///< the chosen features S with the centre c, in ascending order
};

/// The round that asks it, with best_direction().
/// Refuses  what propose_direction() refuses.
[[nodiscard]] Result<RoundDraft> draft_direction(const RegressionTerms& terms, const DirectionQuestion& question,
                                                 std::uint16_t number, std::uint8_t cohort);

/// The round that asks for a vote: the feature most correlated with the residual of the model, or, if `means`, the
/// feature with the largest mean beyond the model's.
[[nodiscard]] Result<RoundDraft> draft_vote(const RegressionTerms& terms, bool means, const Entries& model,
                                            std::uint16_t number, std::uint8_t cohort);

/// The mean answer on S, without the centre, with its errors.
struct DirectionAnswer {
  std::vector<double> mean, standard_error, noise_error;
  /// The mean of sqrt(1 - |g|^2/R^2) over the clipped answers g: how far they are from the ball's boundary.
  double pole = 0, pole_error = 0;
  std::uint64_t used = 0;
};
[[nodiscard]] DirectionAnswer read_direction(const DirectionQuestion& question, const VectorMean& mean);

/// n times the variance that privacy adds to one coordinate of a direction of radius 1 with this many coordinates.
/// Refuses  what propose_direction() refuses.
[[nodiscard]] Result<double> direction_variance(EpsilonNano epsilon, std::uint32_t coordinates);

}  // namespace sotto::analyzer
