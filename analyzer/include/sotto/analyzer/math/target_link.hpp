// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The links of a target: how y depends on the linear predictor <x, theta>.

#include <cstdint>
#include <string_view>

#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer {

/// How the target depends on t = <x, theta>. identity: y = t + noise. cosine: y = 8 t + cos t + noise. logistic: y = +1
/// with probability 1/(1 + e^-t), else -1.
enum class TargetLink : std::uint8_t { identity, cosine, logistic };

[[nodiscard]] std::string_view link_name(TargetLink link);
/// Parses the words of study files and of the command line.
/// Refuses  link.unknown.
[[nodiscard]] Result<TargetLink> parse_link(std::string_view word);

/// f(t) and f'(t). For logistic f is the probability of +1.
[[nodiscard]] double link_value(TargetLink link, double t);
[[nodiscard]] double link_slope(TargetLink link, double t);

/// The divisor of a target so that f rises by about 1 for each 1 of t: 8 for the cosine, 1 for the others.
[[nodiscard]] double link_deviation(TargetLink link);

}  // namespace sotto::analyzer
