// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/propose/cross_polytope.hpp"

#include <limits>

#include "closest.hpp"
#include "sotto/analyzer/channel/spec_check.hpp"

namespace sotto::analyzer {

Result<CrossPolytopeProposal> propose_cross_polytope(EpsilonNano epsilon, std::uint32_t log2_size,
                                                     std::uint32_t dimension) {
  CrossPolytopeSpec spec{epsilon, log2_size, dimension, 1, 0};
  if (const auto checked = derive_checked(spec); !checked) return checked.error();
  const std::uint32_t size = std::uint32_t{1} << log2_size;
  TopSums top{{ScoreLaw::Kind::absolute_normal}, size};
  spec.closest = best_of_rising_then_falling(size, [&](std::uint32_t k) {
    CrossPolytopeSpec tried{epsilon, log2_size, dimension, k, 0};
    return derive(tried) == Status::ok ? -direction_error(tried, top).mean_square()
                                       : -std::numeric_limits<double>::infinity();
  });
  if (const auto checked = derive_checked(spec); !checked) return checked.error();
  return CrossPolytopeProposal{spec, direction_error(spec, top)};
}

}  // namespace sotto::analyzer
