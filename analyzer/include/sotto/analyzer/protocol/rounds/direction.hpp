// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/analyzer/aggregate/vector_sums.hpp"
#include "sotto/analyzer/protocol/frame/round_draft.hpp"
#include "sotto/analyzer/study/regression_terms.hpp"

namespace sotto::analyzer {

/// What a device computes on the chosen features, in standard deviations of feature and target.
enum class LocalAnswer {
  least_squares,  ///< coefficients of y - X c on S
  gradient,       ///< X_S'(y - X c) / m
  means,          ///< mean of x_S - c
};

/// Of local least squares, beside the features' mean squares of 1: columns that depend on each other share what they explain.
inline constexpr double k_local_ridge = 0.05;

/// What 1 in the protocol's units is in a device's answer, whose features and targets are fractions of full scale.
[[nodiscard]] double device_unit(LocalAnswer answer, double unit);
/// Sets the recipe of a draft with its own parameters, and brings the model to the units that the recipe wants.
void put_local_answer(const RegressionTerms& terms, LocalAnswer answer, RoundDraft& draft);

/// The randomizer with the least error in so many dimensions that a small device can afford.
/// Refuses  what propose_direction() refuses.
[[nodiscard]] Result<AnySpec> best_direction(EpsilonNano epsilon, std::uint32_t dimension);
/// A radius or bound as it travels: Q24, above 0.
[[nodiscard]] std::uint32_t positive_q24(double value) noexcept;

/// A question about a vector in a ball, in the protocol's own units. Devices count in fractions of full scale.
struct DirectionQuestion {
  LocalAnswer answer = LocalAnswer::gradient;
  double radius = 1;
  Entries centre;  ///< S with c, features rising
};

/// The round that asks it: the randomizer with the least error that a small device can afford.
/// Refuses  what propose_direction() refuses.
[[nodiscard]] Result<RoundDraft> draft_direction(const RegressionTerms& terms, const DirectionQuestion& question,
                                                 std::uint16_t number, std::uint8_t cohort);

/// The normalised scores of all features, cubed, as a direction of radius 1; the model's fit is taken off the target first.
[[nodiscard]] Result<RoundDraft> draft_scores(const RegressionTerms& terms, const Entries& model, std::uint16_t number,
                                              std::uint8_t cohort);

/// A vote for the strongest feature on what the model leaves of the target; of the largest mean beyond the model where `means`.
[[nodiscard]] Result<RoundDraft> draft_vote(const RegressionTerms& terms, bool means, const Entries& model,
                                            std::uint16_t number, std::uint8_t cohort);

/// The mean answer on S, without the centre, and its errors.
struct DirectionAnswer {
  std::vector<double> mean, standard_error, noise_error;
  double pole = 0,
         pole_error = 0;  ///< sqrt(1 - |g|^2/R^2) of the clipped answers, on average: how much room the ball has
  std::uint64_t used = 0;
};
[[nodiscard]] DirectionAnswer read_direction(const DirectionQuestion& question, const VectorMean& mean);

/// n * Var that privacy adds to one coordinate of a direction of radius 1 with this many coordinates.
/// Refuses  what propose_direction() refuses.
[[nodiscard]] Result<double> direction_variance(EpsilonNano epsilon, std::uint32_t coordinates);

}  // namespace sotto::analyzer
