// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "scalar.hpp"

#include "sotto/randomize/laplace.hpp"
#include "sotto/randomize/window.hpp"
#include "sotto/wide.hpp"
#include "sotto/wipe.hpp"

namespace sotto {

namespace {

Status laplace_shape(const FrontSpec& spec, TwoLevel& channel) noexcept {
  const auto& laplace = spec.as<LaplaceSpec>();
  channel.outcomes = std::uint32_t{1} << (laplace.bits & 31u);
  return check_parameters(laplace);
}

Status laplace_channel(const FrontSpec& spec, const TwoLevel&) noexcept {
  return check_channel(spec.as<LaplaceSpec>());
}

constexpr FrontStem k_stems[] = {
    two_level_stem<WindowSpec>(3, nullptr),
    {laplace_shape, laplace_channel, nullptr, Stem::laplace, 2, offsetof(LaplaceSpec, radius), true}};

}  // namespace

Status check_scalar(Asked& asked) noexcept { return check_front(asked, k_stems, kept_bytes_of<std::int32_t>(1)); }

void keep_scalar(const Asked& asked, std::int32_t answer_q15) noexcept { number_of<std::int32_t>(asked) = answer_q15; }

void keep_position(const Asked& asked, const Position& at) noexcept {
  const std::uint64_t way_q16 = divide_floor((std::uint64_t{at.offset} << 16) + at.width / 2, at.width);
  keep_scalar(asked, static_cast<std::int32_t>(way_q16) - k_q15_one);
}

void report_scalar(const Asked& asked, PrivateCoins& coins, const std::span<std::uint8_t>& payload) noexcept {
  const std::int32_t answer = number_of<std::int32_t>(asked);
  const FrontSpec read{asked, sizeof(EpsilonNano)};  // neither of the two has a delta
  std::uint32_t report = 0;
  if (asked.round.stem == Stem::window) {
    const auto& spec = read.as<WindowSpec>();
    WindowDraw draw = draw_window(coins, spec);
    report = window_report(spec, answer, draw);
    wipe_object(draw);
  } else {
    const auto& spec = read.as<LaplaceSpec>();
    report = laplace_report(spec, on_grid(answer, spec.radius), laplace_noise(spec, coins));
  }
  write_number(report, payload);
}

}  // namespace sotto
