// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "sotto/analyzer/result.hpp"
#include "sotto/analyzer/study/regression_terms.hpp"
#include "sotto/wire/question_kind.hpp"

namespace sotto::analyzer {

/// Signal to noise of a study: below the first its reports teach nothing; above the second they do.
inline constexpr double k_snr_min = 2, k_snr_enough = 3;

/// Cohorts' shares as a manifest counts them, in units of 1/60000.
[[nodiscard]] std::vector<std::uint16_t> share_weights(std::span<const double> shares);
/// Bit k for question k.
[[nodiscard]] std::uint16_t question_bits(std::initializer_list<QuestionKind> questions);
/// Fewer devices than a protocol needs for two answers to every number that it asks for.
[[nodiscard]] Error small_fleet(const RegressionTerms& terms, double needed);

}  // namespace sotto::analyzer
