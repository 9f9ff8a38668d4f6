// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/randomize/laplace.hpp"

#include "sotto/coins/samplers.hpp"
#include "sotto/masks.hpp"

namespace sotto {

std::uint32_t laplace_noise(const LaplaceSpec& spec, PrivateCoins& coins) noexcept {
  const std::uint64_t step = laplace_step_q40(spec);
  std::uint32_t noise = 0;
  for (int i = 0; i < 2; ++i) {
    std::uint32_t geometric = 0;
    for (std::uint32_t digit = 0; digit < spec.bits; ++digit) {
      geometric |= bernoulli64(coins, laplace_digit_threshold(step, digit)) << digit;
    }
    noise = geometric - noise;
  }
  return 0u - noise;  // g1 - g2
}

std::uint32_t laplace_report(const LaplaceSpec& spec, std::int32_t value, std::uint32_t noise) noexcept {
  const auto radius = static_cast<std::int32_t>(spec.radius);
  return (static_cast<std::uint32_t>(clip_saturate(value, -radius, radius)) + noise) &
         ((std::uint32_t{1} << spec.bits) - 1);
}

Status laplace(const Certified<LaplaceSpec>& certified, std::int32_t value, PrivateCoins& coins,
               std::uint32_t& report) noexcept {
  if (!certified.valid()) return Status::uncertified;
  if (const Status s = coins.ready(); s != Status::ok) return s;
  const std::uint32_t noise = laplace_noise(certified.spec(), coins);
  report = laplace_report(certified.spec(), value, noise);
  return Status::ok;
}

}  // namespace sotto
