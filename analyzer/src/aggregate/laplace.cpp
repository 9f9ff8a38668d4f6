// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/laplace.hpp"

#include <cmath>

#include "sotto/analyzer/aggregate/power_sums.hpp"
#include "sotto/analyzer/channel/spec_check.hpp"

namespace sotto::analyzer {

static_assert(k_laplace_bits_max <= 24, "|z| <= 2^23, the bound of add_powers()");

namespace {

SumsShape shape_of(const LaplaceSpec& spec) { return power_sums_shape(LaplaceSpec::k_stem, digest_of(spec), 1); }

/// The representative of the report nearest to zero, in -N/2 .. N/2-1 with N = 2^bits.
std::int32_t centred(std::uint32_t report, std::uint32_t bits) noexcept {
  const std::uint32_t half = std::uint32_t{1} << (bits - 1), all = 2 * half - 1;
  return static_cast<std::int32_t>((report + half) & all) - static_cast<std::int32_t>(half);
}

}  // namespace

double laplace_noise_variance(const LaplaceSpec& spec) {
  const std::uint64_t step = laplace_step_q40(spec);
  double variance = 0;
  for (std::uint32_t digit = 0; digit < spec.bits; ++digit) {
    const double p = std::ldexp(static_cast<double>(laplace_digit_threshold(step, digit)), -64);
    variance += std::ldexp(2 * p * (1 - p), static_cast<int>(2 * digit));
  }
  return variance;
}

double laplace_wrap_bias_bound(const LaplaceSpec& spec) {
  const double fall =
      std::ldexp(static_cast<double>(laplace_step_q40(spec)), -40);  // -ln a, the noise being proportional to a^|z|
  const double circle = std::ldexp(1.0, static_cast<int>(spec.bits)), radius = spec.radius;
  const double tail = std::exp(-fall * (circle / 2 - radius)) * -std::expm1(-fall * radius);
  return 2 * circle * tail / ((1 + std::exp(-fall)) * -std::expm1(-fall * circle));
}

Result<LaplaceAggregate> LaplaceAggregate::open(const LaplaceSpec& spec) {
  if (const auto checked = check_spec(spec); !checked.ok()) return checked.error();
  return LaplaceAggregate{spec, Sums{shape_of(spec)}};
}

bool LaplaceAggregate::absorb(std::uint32_t report) noexcept {
  if ((report >> spec_.bits) != 0 || !sums_.has_room()) {
    sums_.count_refused();
    return false;
  }
  const std::int32_t z = centred(report, spec_.bits);
  add_powers(sums_.values(), {&z, 1});
  sums_.count_used();
  return true;
}

std::uint64_t LaplaceAggregate::absorb(std::span<const std::uint32_t> reports) noexcept {
  std::uint64_t used = 0;
  for (const std::uint32_t r : reports) used += absorb(r) ? 1 : 0;
  return used;
}

Result<LaplaceAggregate> LaplaceAggregate::load(const LaplaceSpec& spec, std::span<const std::uint8_t> bytes) {
  if (const auto checked = check_spec(spec); !checked.ok()) return checked.error();
  auto sums = Sums::load(shape_of(spec), bytes);
  if (!sums.ok()) return sums.error();
  return LaplaceAggregate{spec, std::move(sums).value()};
}

ScalarMean LaplaceAggregate::close() const {
  ScalarMean out = mean_from_powers(sums_, 0, laplace_noise_variance(spec_));
  out.bias_bound = laplace_wrap_bias_bound(spec_);
  return out;
}

}  // namespace sotto::analyzer
