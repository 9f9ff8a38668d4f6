// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/propose/window.hpp"

#include <limits>

#include "sotto/analyzer/aggregate/window_law.hpp"
#include "sotto/analyzer/channel/spec_check.hpp"

namespace sotto::analyzer {

Result<WindowProposal> propose_window(EpsilonNano epsilon, std::uint32_t outcomes_max) {
  WindowProposal best{{epsilon, 0, 0, 0}, std::numeric_limits<double>::infinity()};
  if (outcomes_max < 2 || outcomes_max > k_window_outcomes_max) {
    return spec_error(Status::bad_channel, WindowSpec::k_stem, std::to_string(outcomes_max) + " outcomes");
  }
  for (std::uint32_t outcomes = 2; outcomes <= outcomes_max; ++outcomes) {
    for (std::uint32_t width = 1; width < outcomes; ++width) {
      WindowSpec spec{epsilon, outcomes, width, 0};
      // At a tiny epsilon some pairs have no valid threshold; check_spec() also drops channels without information.
      if (derive(spec) != Status::ok || !check_spec(spec).ok()) continue;
      const double worst = WindowLaw{spec}.worst_variance();
      if (worst < best.worst_variance) best = {spec, worst};
    }
  }
  if (best.spec.outcomes == 0) {
    return spec_error(Status::bad_epsilon, WindowSpec::k_stem, std::to_string(epsilon) + " nano-nats");
  }
  return best;
}

}  // namespace sotto::analyzer
