// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/randomize/gaussian.hpp"

#include "sotto/arithmetic/norm_clip.hpp"
#include "sotto/coins/samplers.hpp"
#include "sotto/masks.hpp"
#include "sotto/randomize/unchecked.hpp"

namespace sotto {

namespace {
constexpr std::int32_t k_report_limit = 1 << 23;  // a report coordinate is a 24-bit number
}

void gaussian_unchecked(const GaussianSpec& spec, const std::span<std::int32_t>& values, PrivateCoins& coins) noexcept {
  const auto radius = static_cast<std::int32_t>(spec.radius);
  // No honest answer is that large; the clip keeps the squares of norm_clip() within its bounds for any input.
  for (std::int32_t& v : values) v = clip_saturate(v, -k_report_limit + 1, k_report_limit - 1);
  if (spec.dimension == 1) {
    values[0] = clip_saturate(values[0], -radius, radius);
  } else {
    norm_clip(values, spec.radius);
  }
  for (std::int32_t& v : values) {
    v = clip_saturate(v + discrete_gaussian(coins, spec.variance), -k_report_limit, k_report_limit - 1);
  }
}

Status gaussian(const Certified<GaussianSpec>& certified, const std::span<std::int32_t>& values,
                PrivateCoins& coins) noexcept {
  if (!certified.valid()) return Status::uncertified;
  if (values.size() != certified.spec().dimension) return Status::short_buffer;
  if (const Status s = coins.ready(); s != Status::ok) return s;
  gaussian_unchecked(certified.spec(), values, coins);
  return Status::ok;
}

}  // namespace sotto
