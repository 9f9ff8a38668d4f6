// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Any integers as a spec, with any cap: the check refuses, or what it lets through delivers no more than it states.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "sotto/certified.hpp"
#include "sotto/spec/block.hpp"
#include "sotto/spec/cross_polytope.hpp"
#include "sotto/spec/gaussian.hpp"
#include "sotto/spec/grr.hpp"
#include "sotto/spec/hadamard_response.hpp"
#include "sotto/spec/hemisphere.hpp"
#include "sotto/spec/laplace.hpp"
#include "sotto/spec/sphere_code.hpp"
#include "sotto/spec/vote.hpp"
#include "sotto/spec/walsh_hash.hpp"
#include "sotto/spec/window.hpp"

namespace {

template <class Spec>
void try_spec(const std::uint8_t* data, std::size_t size) {
  static_assert(std::is_trivially_copyable_v<Spec>);
  sotto::EpsilonNano cap = 0;
  Spec spec{};
  if (size < sizeof cap + sizeof spec) return;
  std::memcpy(&cap, data, sizeof cap);
  std::memcpy(&spec, data + sizeof cap, sizeof spec);
  spec.epsilon %= 2 * sotto::k_epsilon_max;  // most 64-bit numbers are far too large to be interesting

  Spec derived = spec;
  const bool has_derivation = derive(derived) == sotto::Status::ok;
  for (const Spec& candidate : {spec, derived}) {
    sotto::Certified<Spec> certified;
    const bool accepted = certify(candidate, cap, certified) == sotto::Status::ok;
    if (accepted != certified.valid()) __builtin_trap();
    if (!accepted) continue;
    if (candidate.epsilon > cap) __builtin_trap();
    if constexpr (sotto::TwoLevelSpec<Spec>) {
      if (delivered(candidate) > candidate.epsilon) __builtin_trap();
    }
  }
  // What derive() makes is accepted under a cap that allows it.
  sotto::Certified<Spec> certified;
  if (has_derivation && certify(derived, derived.epsilon, certified) != sotto::Status::ok) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::uint8_t stem = data[0];
  ++data, --size;
  switch (stem % 11) {
    case 0: try_spec<sotto::BlockSpec>(data, size); break;
    case 1: try_spec<sotto::CrossPolytopeSpec>(data, size); break;
    case 2: try_spec<sotto::GaussianSpec>(data, size); break;
    case 3: try_spec<sotto::GrrSpec>(data, size); break;
    case 4: try_spec<sotto::HadamardResponseSpec>(data, size); break;
    case 5: try_spec<sotto::HemisphereSpec>(data, size); break;
    case 6: try_spec<sotto::LaplaceSpec>(data, size); break;
    case 7: try_spec<sotto::SphereCodeSpec>(data, size); break;
    case 8: try_spec<sotto::VoteSpec>(data, size); break;
    case 9: try_spec<sotto::WalshHashSpec>(data, size); break;
    default: try_spec<sotto::WindowSpec>(data, size); break;
  }
  return 0;
}
