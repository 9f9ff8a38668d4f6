// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Any integers as a spec, with any cap: the check refuses, or what it lets through delivers no more than it states and its
// randomizer answers anything. Parameters come raw, or from their ranges with the derived fields one off.
#include <cstring>
#include <type_traits>

#include "../support/seeded_entropy.hpp"
#include "fuzz_bytes.hpp"
#include "sotto/certified.hpp"
#include "sotto/randomize/block.hpp"
#include "sotto/randomize/gaussian.hpp"
#include "sotto/randomize/grr.hpp"
#include "sotto/randomize/hadamard_response.hpp"
#include "sotto/randomize/laplace.hpp"
#include "sotto/randomize/vote.hpp"
#include "sotto/randomize/walsh_hash.hpp"
#include "sotto/randomize/window.hpp"
#include "sotto/spec/cross_polytope.hpp"
#include "sotto/spec/hemisphere.hpp"
#include "sotto/spec/sphere_code.hpp"

namespace {

using namespace sotto;
using namespace sotto::fuzz;

const std::uint8_t k_seed[32] = {7};

/// One answer of an accepted spec, where a single number is asked.
template <class Spec>
void randomize(const Certified<Spec>& certified, std::uint32_t x) {
  SeededEntropy entropy{x};
  PrivateCoins coins;
  must(coins.begin_report(entropy.source()) == Status::ok);
  const CoinLabel label{k_seed, 1 + x % 5, 1};
  std::uint32_t out = ~0u;
  Status status = Status::ok;
  if constexpr (requires { grr(certified, x, coins, out); }) status = grr(certified, x, coins, out);
  if constexpr (requires { hadamard_response(certified, x, coins, out); })
    status = hadamard_response(certified, x, coins, out);
  if constexpr (requires { vote(certified, label, x, coins, out); }) status = vote(certified, label, x, coins, out);
  if constexpr (requires { walsh_hash(certified, label, x, coins, out); })
    status = walsh_hash(certified, label, x, coins, out);
  if constexpr (requires { block(certified, x, coins, out); }) status = block(certified, x, coins, out);
  const auto number = static_cast<std::int32_t>(x);
  if constexpr (std::is_same_v<Spec, WindowSpec>) status = window(certified, number, coins, out);
  if constexpr (std::is_same_v<Spec, LaplaceSpec>) status = laplace(certified, number, coins, out);
  if constexpr (std::is_same_v<Spec, GaussianSpec>) {
    std::vector<std::int32_t> numbers(certified.spec().dimension, number);
    status = gaussian(certified, numbers, coins);
  }
  must(status == Status::ok);
  if constexpr (TwoLevelSpec<Spec>) must(out == ~0u || out < channel(certified.spec()).outcomes);
}

template <class Spec>
void try_candidate(const Spec& candidate, EpsilonNano cap, std::uint32_t x) {
  Certified<Spec> certified;
  const bool accepted = certify(candidate, cap, certified) == Status::ok;
  must(accepted == certified.valid());
  if (!accepted) return;
  must(candidate.epsilon <= cap);
  if constexpr (TwoLevelSpec<Spec>) must(delivered(candidate) <= candidate.epsilon);
  std::uint8_t bytes[k_spec_bytes_max];
  ByteWriter writer{bytes};
  encode_fields(candidate, writer);
  must(!writer.overflowed());
  Digest digest;
  spec_digest(candidate, digest);
  randomize(certified, x);
}

/// As many words as the spec has, raw.
template <class Spec>
Spec raw_spec(Taker& take) {
  static_assert(std::is_trivially_copyable_v<Spec>);
  std::uint8_t bytes[sizeof(Spec)];
  take.fill(bytes);
  Spec spec;
  std::memcpy(&spec, bytes, sizeof spec);
  return spec;
}

/// Parameters of the orders of magnitude that are allowed.
template <class Spec>
Spec likely_spec(Taker& take) {
  std::uint32_t words[(sizeof(Spec) + 3) / 4] = {};
  for (std::uint32_t& w : words) w = take.flag() ? take.u8() : take.interesting();
  Spec spec;
  std::memcpy(&spec, words, sizeof spec);
  spec.epsilon = take.flag() ? k_epsilon_one * (take.u8() % 13) : take.u64();
  return spec;
}

template <class Spec>
void try_spec(Taker& take) {
  const bool likely = take.flag();
  const EpsilonNano cap = take.flag() ? k_epsilon_max : take.u64();
  Spec spec = likely ? likely_spec<Spec>(take) : raw_spec<Spec>(take);
  spec.epsilon %= 2 * k_epsilon_max;  // most 64-bit numbers are far too large to be interesting
  if constexpr (requires { spec.delta; }) {
    if (likely) spec.delta = take.flag() ? 18446744073709u : take.u64() >> take.u8() % 64;
  }
  const std::uint32_t x = take.interesting();
  try_candidate(spec, cap, x);
  Spec derived = spec;
  if (derive(derived) != Status::ok) return;
  try_candidate(derived, cap, x);
  // What derive() makes is accepted under a cap that allows it.
  Certified<Spec> certified;
  must(certify(derived, derived.epsilon, certified) == Status::ok);
  // One more or less than what was derived, up or down.
  Spec off = derived;
  const std::uint32_t by = take.flag() ? 1u : ~0u;
  if constexpr (requires { off.threshold; }) off.threshold += by;
  if constexpr (requires { off.bits; }) off.bits += take.flag() ? by : 0;
  if constexpr (requires { off.variance; }) off.variance += by;
  try_candidate(off, cap, x);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Taker take({data, size});
  switch (take.u8() % 11) {
    case 0: try_spec<BlockSpec>(take); break;
    case 1: try_spec<CrossPolytopeSpec>(take); break;
    case 2: try_spec<GaussianSpec>(take); break;
    case 3: try_spec<GrrSpec>(take); break;
    case 4: try_spec<HadamardResponseSpec>(take); break;
    case 5: try_spec<HemisphereSpec>(take); break;
    case 6: try_spec<LaplaceSpec>(take); break;
    case 7: try_spec<SphereCodeSpec>(take); break;
    case 8: try_spec<VoteSpec>(take); break;
    case 9: try_spec<WalshHashSpec>(take); break;
    default: try_spec<WindowSpec>(take); break;
  }
  return 0;
}
