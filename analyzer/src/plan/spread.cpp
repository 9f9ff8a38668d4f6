// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "spread.hpp"

#include <algorithm>
#include <cmath>

namespace sotto::analyzer {
namespace {

// Shares of the zero model's error, and the spread of fleets around their mean, that the words stand for. They were
// chosen by judgement; docs/PLANNING.md says how far the words were measured.
// Where hardly anything of the zero model's error is left, fleets may differ more: nothing of weight is missed.
constexpr double k_learnable = 0.5, k_hopeless = 0.9, k_spread_max = 0.7, k_hardly_anything = 0.05;

}  // namespace

Spread spread_of(const std::vector<double>& values) {
  Spread out;
  for (const double v : values) out.mean += v / static_cast<double>(values.size());
  for (const double v : values) out.deviation += (v - out.mean) * (v - out.mean);
  out.deviation = values.size() > 1 ? std::sqrt(out.deviation / static_cast<double>(values.size() - 1)) : 0;
  return out;
}

double quantile_of(std::vector<double> values, double share) {
  std::ranges::sort(values);
  const double at = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
}

Prospect prospect_of(const Spread& errors, double zero) {
  if (!(zero > 0) || errors.mean >= k_hopeless * zero) return Prospect::cannot_learn;
  const bool is_alike = errors.deviation <= k_spread_max * errors.mean,
             is_small = errors.mean + 2 * errors.deviation <= k_hardly_anything * zero;
  return errors.mean <= k_learnable * zero && (is_alike || is_small) ? Prospect::learnable : Prospect::uncertain;
}

void tell_errors(const std::vector<double>& errors, Outlook& out) {
  const Spread spread = spread_of(errors);
  out.predicted = spread.mean;
  out.low = std::min(out.predicted, quantile_of(errors, 0.1));
  out.high = std::max(out.predicted, quantile_of(errors, 0.9));
  out.fleets = static_cast<std::uint32_t>(errors.size());
  out.prospect = prospect_of(spread, out.zero);
}

bool is_small_fleet(const Error& error) {
  return error.code == "protocol.small_fleet" || error.code == "protocol.too_few";
}

}  // namespace sotto::analyzer
