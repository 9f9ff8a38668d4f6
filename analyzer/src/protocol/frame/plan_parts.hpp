// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Helpers of the protocols' plans: cohort weights, question masks, and the refusal of a fleet that is too small.

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "sotto/analyzer/result.hpp"
#include "sotto/analyzer/study/regression_terms.hpp"
#include "sotto/wire/question_kind.hpp"

namespace sotto::analyzer {

/// Signal-to-noise ratios: below the first nothing can be learned from the reports, above the second it can.
inline constexpr double k_snr_min = 2, k_snr_enough = 3;

/// The shares of the cohorts in the manifest's units of 1/60000.
[[nodiscard]] std::vector<std::uint16_t> share_weights(std::span<const double> shares);
/// The bit mask of the questions: bit k for question k.
[[nodiscard]] std::uint16_t question_bits(std::initializer_list<QuestionKind> questions);
/// The error for a fleet with fewer than two devices for each number that the protocol asks for.
[[nodiscard]] Error small_fleet(const RegressionTerms& terms, double needed);

}  // namespace sotto::analyzer
