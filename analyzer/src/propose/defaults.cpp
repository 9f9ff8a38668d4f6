// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/propose/defaults.hpp"

#include "sotto/analyzer/math/direction_error.hpp"
#include "sotto/analyzer/propose/cross_polytope.hpp"
#include "sotto/analyzer/propose/direction.hpp"
#include "sotto/analyzer/propose/sphere_code.hpp"
#include "sotto/analyzer/propose/window.hpp"

namespace sotto::analyzer {
namespace {

constexpr DeviceWork k_default_work{1'000'000, 8192};

template <class Proposal>
Result<AnySpec> spec_of(const Result<Proposal>& proposal) {
  if (!proposal) return proposal.error();
  return AnySpec{proposal.value().spec};
}

}  // namespace

std::uint32_t default_flips(EpsilonNano epsilon, std::uint32_t width) {
  std::uint32_t best = 0;
  double most = 0, inside_sum = 0, choose = 1;  // choose = C(width, t)
  for (std::uint32_t t = 0; t < width; ++t) {
    inside_sum += choose * (1.0 - 2.0 * t / width);
    choose = choose * (width - t) / (t + 1);
    BlockSpec spec{epsilon, width, t, 0};
    if (derive(spec) != Status::ok) continue;
    // Over all words the signs cancel, so the outside sums to minus the inside.
    const double kept = inside_sum * two_level_contrast(channel(spec));
    if (kept > most) {
      most = kept;
      best = t;
    }
  }
  return best;
}

Result<AnySpec> default_window(EpsilonNano epsilon) { return spec_of(propose_window(epsilon)); }

Result<AnySpec> default_direction(EpsilonNano epsilon, std::uint32_t dimension) {
  const Result<DirectionProposal> proposal = propose_direction(epsilon, dimension, k_default_work);
  if (!proposal) return proposal.error();
  return std::visit([](const auto& spec) { return AnySpec{spec}; }, proposal.value().spec);
}

Result<AnySpec> default_cross_polytope(EpsilonNano epsilon, std::uint32_t log2_size, std::uint32_t dimension) {
  return spec_of(propose_cross_polytope(epsilon, log2_size, dimension));
}

Result<AnySpec> default_sphere_code(EpsilonNano epsilon, std::uint32_t dimension, std::uint32_t codewords) {
  return spec_of(propose_sphere_code(epsilon, dimension, codewords));
}

}  // namespace sotto::analyzer
