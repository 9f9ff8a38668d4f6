// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "noisy.hpp"

#include "sotto/local/grid_ball.hpp"
#include "sotto/randomize/unchecked.hpp"

namespace sotto {

namespace {

Status gaussian_shape(const FrontSpec& spec, TwoLevel& channel) noexcept {
  channel.outcomes = std::uint32_t{1} << (8 * k_noisy_bytes);  // of one number
  return check_parameters(spec.as<GaussianSpec>());
}

Status gaussian_channel(const FrontSpec& spec, const TwoLevel&) noexcept {
  return check_channel(spec.as<GaussianSpec>());
}

constexpr FrontStem k_stem{
    gaussian_shape, gaussian_channel, nullptr, Stem::gaussian, 3, offsetof(GaussianSpec, radius), true};

}  // namespace

Status check_noisy(Asked& asked, std::uint32_t size) noexcept {
  const Round& round = asked.round;
  if (round.stem != Stem::gaussian) return Status::bad_channel;
  if (round.spec[2] != size) return Status::bad_dimension;
  const Status status = check_front(asked, &k_stem, kept_bytes_of<std::int32_t>(size));
  asked.plan.payload_bytes *= size;
  return status;
}

std::span<std::int32_t> noisy_answer(const Asked& asked) noexcept {
  return answer_of<std::int32_t>(asked, asked.round.spec[2]);
}

std::uint32_t noisy_radius(const Asked& asked) noexcept { return asked.round.spec[0]; }

void report_noisy(const Asked& asked, PrivateCoins& coins, const std::span<std::uint8_t>& payload) noexcept {
  const std::span<std::int32_t> values = noisy_answer(asked);
  const FrontSpec spec{asked, offsetof(GaussianSpec, radius)};
  gaussian_unchecked(spec.as<GaussianSpec>(), values, coins);
  std::uint8_t* to = payload.data();
  for (std::int32_t v : values) {
    for (std::size_t i = 0; i < k_noisy_bytes; ++i, v >>= 8) *to++ = static_cast<std::uint8_t>(v);
  }
}

Status check_record_ball(const Asked& asked, std::uint32_t copies) noexcept {
  const Parameters& p = asked.round.parameter;
  const std::uint32_t feature_steps = p[recipe::record::feature_steps], target_steps = p[recipe::record::target_steps];
  if (!in_range(p[recipe::record::radius], 1, 0x7fffffff) || !in_range(feature_steps, 1, k_gaussian_radius_max) ||
      target_steps > k_gaussian_radius_max || !in_range(p[recipe::record::target_bound], 1, 32768)) {
    return Status::bad_field;
  }
  static_assert(std::uint64_t{k_gaussian_dimension_max + 1} * k_gaussian_radius_max * k_gaussian_radius_max <
                1ull << 31);
  const std::uint32_t radius = noisy_radius(asked);  // certified: at most 512
  return copies * feature_steps * feature_steps + target_steps * target_steps > radius * radius ? Status::bad_channel
                                                                                                : Status::ok;
}

void keep_record(const Asked& asked, const ChosenRow& chosen, const std::span<std::int32_t>& features_q24) noexcept {
  const Parameters& p = asked.round.parameter;
  grid_ball(features_q24, p[recipe::record::radius], p[recipe::record::feature_steps]);
  noisy_answer(asked).back() =
      scaled_target(chosen.target(), p[recipe::record::target_bound], p[recipe::record::target_steps]);
}

}  // namespace sotto
