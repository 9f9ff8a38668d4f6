// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cmath>

#include "sotto/analyzer/channel/spec_check.hpp"
#include "sotto/analyzer/math/order_statistics.hpp"
#include "sotto/analyzer/result.hpp"

// The choice of k for randomizers that report one of the k closest codewords, or with less probability another one.
namespace sotto::analyzer {

/// Derives the integer threshold of a spec, and refuses what open() would refuse.
template <class Spec>
Result<Done> derive_checked(Spec& spec) {
  if (const Status s = derive(spec); s != Status::ok) return spec_error(s, Spec::k_stem, spec_text(spec));
  return check_spec(spec);
}

/// The k in [1, last] that maximises S_k / (k e^epsilon + M - k), to which the scale m is proportional, with S_k the
/// expected sum of the k largest of M scores.
inline std::uint32_t best_closest(TopSums& top, std::uint32_t outcomes, std::uint32_t last, EpsilonNano epsilon) {
  const double gain = std::expm1(static_cast<double>(epsilon) / k_epsilon_one);
  return best_of_rising_then_falling(last, [&](std::uint32_t k) { return top.sum(k) / (k * gain + outcomes); });
}

}  // namespace sotto::analyzer
