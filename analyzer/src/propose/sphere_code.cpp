// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/propose/sphere_code.hpp"

#include "closest.hpp"
#include "sotto/analyzer/channel/spec_check.hpp"

namespace sotto::analyzer {

Result<SphereCodeProposal> propose_sphere_code(EpsilonNano epsilon, std::uint32_t dimension, std::uint32_t codewords) {
  SphereCodeSpec spec{epsilon, dimension, codewords, 1, 0};
  // Checks the other parameters with some valid k, before anything is computed from them.
  if (const auto checked = derive_checked(spec); !checked) return checked.error();
  TopSums top{{ScoreLaw::Kind::sphere, dimension}, codewords};
  spec.closest = best_closest(top, codewords, codewords - 1, epsilon);
  if (const auto checked = derive_checked(spec); !checked) return checked.error();
  return SphereCodeProposal{spec, direction_error(spec, top)};
}

}  // namespace sotto::analyzer
