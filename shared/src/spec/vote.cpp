// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/spec/vote.hpp"

#include "sotto/exp_bound.hpp"
#include "sotto/wide.hpp"

namespace sotto {

namespace {

/// e^epsilon in Q8, from the bound that the thresholds use.
std::uint64_t exp_q8(EpsilonNano epsilon) noexcept {
  return divide_floor(~std::uint64_t{0}, exp_neg_upper_q64(exponent_q40(epsilon)) >> 8);
}

/// n * Var of an absent category, times (e^epsilon - 1)^2, Q8. Proof: analyzer/math/vote.md.
std::uint64_t loss_grr(std::uint32_t categories, std::uint64_t e) noexcept {
  return (std::uint64_t{categories} - 2) * 256 + e;
}
std::uint64_t loss_hash(std::uint32_t bits, std::uint64_t e) noexcept {
  const std::uint64_t others = ((std::uint64_t{1} << bits) - 1) * 256;  // 2^b - 1 in Q8
  return divide_floor((e + others) * (e + others), others);
}

/// Only walsh_hash has bits.
VoteOracle oracle_of(const VoteSpec& spec) noexcept {
  return spec.bits == 0 ? VoteOracle::grr : VoteOracle::walsh_hash;
}

}  // namespace

GrrSpec as_grr(const VoteSpec& spec) noexcept { return {spec.epsilon, spec.features + 1, spec.threshold}; }

WalshHashSpec as_walsh_hash(const VoteSpec& spec) noexcept {
  return {spec.epsilon, spec.features + 1, spec.bits, spec.threshold};
}

TwoLevel channel(const VoteSpec& spec) noexcept {
  return {spec.bits == 0 ? spec.features + 1 : std::uint32_t{1} << spec.bits, 1, spec.threshold};
}

Status check_parameters(const VoteSpec& spec) noexcept {
  if (spec.features - 2 >= k_categories_max - 2) return Status::bad_dimension;
  return spec.bits <= k_hash_bits_max && spec.oracle == static_cast<std::uint32_t>(oracle_of(spec))
             ? Status::ok
             : Status::bad_channel;
}

Status derive(VoteSpec& spec) noexcept {
  VoteSpec best = spec;
  best.oracle = static_cast<std::uint32_t>(VoteOracle::grr);
  best.bits = 0;
  if (const Status s = check_parameters(best); s != Status::ok) return s;
  if (spec.epsilon == 0 || spec.epsilon > k_epsilon_max) return Status::bad_epsilon;
  const std::uint64_t e = exp_q8(spec.epsilon);
  std::uint64_t least = loss_grr(spec.features + 1, e);
  for (std::uint32_t bits = 1; bits <= k_hash_bits_max; ++bits) {
    const std::uint64_t loss = loss_hash(bits, e);
    if (loss >= least) continue;
    least = loss;
    best.oracle = static_cast<std::uint32_t>(VoteOracle::walsh_hash);
    best.bits = bits;
  }
  const TwoLevel c = channel(best);
  if (const Status s = two_level_threshold(c.outcomes, c.inside, spec.epsilon, best.threshold); s != Status::ok)
    return s;
  spec = best;
  return Status::ok;
}

void encode_fields(const VoteSpec& spec, ByteWriter& out) noexcept {
  out.u32(spec.features);
  out.u32(spec.oracle);
  out.u32(spec.bits);
  out.u32(spec.threshold);
}

}  // namespace sotto
