// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// What the specs of all randomizers share: their numbers in formats, the check and derivation of those that are
/// two-level channels, and the digest that identifies a spec.

#include <concepts>

#include "sotto/bytes.hpp"
#include "sotto/sha256.hpp"
#include "sotto/two_level.hpp"

namespace sotto {

/// The randomizers. A stem is the name that spec, randomizer, proof and estimator have in common. The numbers are part
/// of digests and formats: append, never renumber.
enum class Stem : std::uint8_t {
  grr = 1,
  walsh_hash = 2,
  hadamard_response = 3,
  block = 4,
  window = 5,
  hemisphere = 6,
  cross_polytope = 7,
  sphere_code = 8,
  laplace = 9,
  gaussian = 10,
  vote = 11,
};

/// A spec whose randomizer is a two-level channel. Each such spec defines its fields, check_parameters(spec),
/// channel(spec) for specs that passed check_parameters(), and encode_fields(spec, writer). The functions below are the
/// same for all of them.
template <class S>
concept TwoLevelSpec = requires(const S& s) {
  { channel(s) } -> std::same_as<TwoLevel>;
  { s.epsilon } -> std::convertible_to<EpsilonNano>;
  { s.threshold } -> std::convertible_to<std::uint32_t>;
};

/// Checks that the channel delivers at most spec.epsilon. Call it after check_parameters() and check_epsilon(), as
/// certify() does.
template <TwoLevelSpec S>
Status check_channel(const S& spec) noexcept {
  return two_level_spend(channel(spec), spec.epsilon);
}

/// Sets the threshold to the largest one that spends at most spec.epsilon.
template <TwoLevelSpec S>
Status derive(S& spec) noexcept {
  if (const Status s = check_parameters(spec); s != Status::ok) return s;
  const TwoLevel c = channel(spec);
  return two_level_threshold(c.outcomes, c.inside, spec.epsilon, spec.threshold);
}

/// The epsilon that the spec's integers deliver, rounded up to a nano-nat.
template <TwoLevelSpec S>
[[nodiscard]] EpsilonNano delivered(const S& spec) noexcept {
  if (check_parameters(spec) != Status::ok) return k_epsilon_max + 1;
  return two_level_delivered(channel(spec));
}

inline constexpr std::size_t k_spec_bytes_max = 64;

/// The digest that identifies a spec: SHA-256 over its integers (shared/spec/RANDOMIZERS.md, section 9).
template <class S>
void spec_digest(const S& spec, Digest& out) noexcept {
  std::uint8_t bytes[k_spec_bytes_max];
  ByteWriter w{bytes};
  constexpr std::uint8_t k_label[] = {'s', 'o', 't', 't', 'o', '-', 's', 'p', 'e', 'c', '-', '1'};
  w.bytes(k_label);
  w.u8(static_cast<std::uint8_t>(S::k_stem));
  w.u64(spec.epsilon);
  encode_fields(spec, w);
  Sha256 hash;
  hash.add(w.written());
  hash.finish(out);
}

}  // namespace sotto
