// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/spec/laplace.hpp"

#include "sotto/exp_bound.hpp"
#include "sotto/wide.hpp"

namespace sotto {

namespace {

/// Reserved from epsilon for the rounding of all digits together (proof, step 4).
constexpr EpsilonNano k_margin_nano = 16;
/// The rarest digit is 1 with probability at least 2^-34, so that a 64-bit threshold has 30 bits of precision there.
constexpr std::uint64_t k_rarest_digit_q40 = 25912195082717u;  // floor(34 ln 2 * 2^40)

/// The number of digits for this spec, 0 if there is none.
std::uint32_t digits(std::uint64_t step) noexcept {
  std::uint32_t n = 0;
  for (; n <= k_laplace_bits_max && step <= k_rarest_digit_q40; step *= 2) ++n;
  return n;
}

}  // namespace

std::uint64_t laplace_step_q40(const LaplaceSpec& spec) noexcept {
  if (spec.epsilon <= k_margin_nano) return 0;
  return divide_floor(exponent_q40(spec.epsilon - k_margin_nano), 2 * std::uint64_t{spec.radius});
}

// Out of line: inlined, it would run out of registers.
[[gnu::noinline]] std::uint64_t laplace_digit_threshold(std::uint64_t step, std::uint32_t digit) noexcept {
  const std::uint64_t odds = exp_neg_upper_q64(step << digit);
  // The largest t with t * (1 + odds) <= odds, bit by bit: t/2^64 = odds/(1 + odds), rounded down.
  std::uint64_t t = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 63; bit != 0; bit >>= 1) {
    const std::uint64_t candidate = t | bit;
    if (candidate <= odds && multiply_high_ceil(candidate, odds) <= odds - candidate) t = candidate;
  }
  return t;
}

Status check_parameters(const LaplaceSpec& spec) noexcept {
  const bool fits =
      spec.radius >= 1 && spec.radius <= k_laplace_radius_max && spec.bits >= 1 && spec.bits <= k_laplace_bits_max;
  return fits ? Status::ok : Status::bad_channel;
}

Status check_channel(const LaplaceSpec& spec) noexcept {
  if (spec.epsilon <= k_margin_nano) return Status::bad_epsilon;
  return spec.bits == digits(laplace_step_q40(spec)) && 4 * spec.radius >> spec.bits == 0 ? Status::ok
                                                                                          : Status::bad_channel;
}

Status derive(LaplaceSpec& spec) noexcept {
  if (spec.radius < 1 || spec.radius > k_laplace_radius_max) return Status::bad_channel;
  if (spec.epsilon > k_epsilon_max) return Status::bad_epsilon;
  LaplaceSpec derived = spec;
  derived.bits = digits(laplace_step_q40(spec));
  if (const Status s = check_channel(derived); s != Status::ok) return s;
  if (derived.bits > k_laplace_bits_max) return Status::bad_channel;
  spec.bits = derived.bits;
  return Status::ok;
}

void encode_fields(const LaplaceSpec& spec, ByteWriter& out) noexcept {
  out.u32(spec.radius);
  out.u32(spec.bits);
  out.u32(0);
}

}  // namespace sotto
