// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/propose/block.hpp"

#include <boost/math/special_functions/binomial.hpp>
#include <cmath>

#include "sotto/analyzer/aggregate/block.hpp"
#include "sotto/analyzer/channel/spec_check.hpp"

namespace sotto::analyzer {
namespace {

/// k m^2 at the exact epsilon, without rounding to an integer threshold: an upper bound for every threshold that a
/// device accepts.
double ideal_worth(double nats, std::uint32_t width, std::uint32_t flips) {
  const double words = std::ldexp(1.0, static_cast<int>(width)), inside = patterns_within(width, flips);
  const double heavy = 1 / (inside + (words - inside) * std::exp(-nats)), light = heavy * std::exp(-nats);
  const double agreement = boost::math::binomial_coefficient<double>(width - 1, flips) * (heavy - light);
  return width * agreement * agreement;
}

}  // namespace

Result<BlockProposal> propose_block(EpsilonNano epsilon, std::uint32_t width_max) {
  if (width_max < 1 || width_max > k_block_width_max) {
    return spec_error(Status::bad_channel, BlockSpec::k_stem, "width " + std::to_string(width_max));
  }
  BlockProposal best;
  double most = 0.0;
  for (std::uint32_t width = 1; width <= width_max; ++width) {
    for (std::uint32_t flips = 0; flips < width; ++flips) {
      constexpr double k_rounding = 1 + 1e-9;
      if (k_rounding * ideal_worth(static_cast<double>(epsilon) / k_epsilon_one, width, flips) <= most) continue;
      BlockSpec spec{epsilon, width, flips, 0};
      // At a tiny epsilon some pairs have no valid threshold; check_spec() also drops channels without information.
      if (derive(spec) != Status::ok || !check_spec(spec).ok()) continue;
      const double agreement = block_agreement(spec), worth = width * agreement * agreement;
      if (worth > most) {
        best = {spec, agreement};
        most = worth;
      }
    }
  }
  if (best.spec.width == 0) {
    return spec_error(Status::bad_epsilon, BlockSpec::k_stem, std::to_string(epsilon) + " nano-nats");
  }
  return best;
}

}  // namespace sotto::analyzer
