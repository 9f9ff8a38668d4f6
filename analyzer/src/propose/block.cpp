// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/propose/block.hpp"

#include "sotto/analyzer/aggregate/block.hpp"
#include "sotto/analyzer/spec_check.hpp"

namespace sotto::analyzer {

Result<BlockProposal> propose_block(EpsilonNano epsilon, std::uint32_t width_max) {
  if (width_max < 1 || width_max > k_block_width_max) {
    return spec_error(Status::bad_channel, BlockSpec::k_stem, "width " + std::to_string(width_max));
  }
  BlockProposal best;
  double most = 0.0;
  for (std::uint32_t width = 1; width <= width_max; ++width) {
    for (std::uint32_t flips = 0; flips < width; ++flips) {
      BlockSpec spec{epsilon, width, flips, 0};
      // At a tiny epsilon some pairs have no threshold; check_spec() also drops channels without information.
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
