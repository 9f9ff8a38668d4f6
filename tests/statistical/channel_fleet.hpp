// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

// Devices of number, count and event whose reports are drawn from the channel's law, without a session: the same law as
// that of the device library, which tests/exact proves, and thirty times as fast.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/compile/compile.hpp"
#include "sotto/analyzer/compile/read_study.hpp"
#include "sotto/analyzer/math/xoshiro.hpp"
#include "sotto/analyzer/protocol/registry/registry.hpp"
#include "sotto/analyzer/simulate/everyday_world.hpp"
#include "sotto/randomize/walsh_hash.hpp"

namespace sotto::analyzer {

/// What one device sends in a number round.
inline std::uint32_t channel_report(const Manifest& manifest, const Round& round, const AnySpec& spec,
                                    std::uint64_t pseudonym, std::int32_t reading, Xoshiro& random) {
  const NumberPair first = number_pair(round, 0);
  const double place = std::clamp(
      (static_cast<double>(reading) - first.first) / (static_cast<double>(first.second) - first.first), 0.0, 1.0);
  const auto two_level = [&](double hit, std::uint32_t outcomes, std::uint32_t from, std::uint32_t width) {
    if (random.unit() < hit) return from + random.below(width);
    const std::uint32_t other = random.below(outcomes - width);
    return other < from ? other : other + width;
  };
  if (const auto* const window = std::get_if<WindowSpec>(&spec)) {
    const std::uint32_t steps = window->outcomes - window->width;
    const auto level = static_cast<std::uint32_t>(place * steps + random.unit());
    return two_level(std::ldexp(window->threshold, -32), window->outcomes, std::min(level, steps), window->width);
  }
  const auto category_in = [&](std::uint32_t categories) {
    if (round.pair_count == 1) return std::min(categories - 1, static_cast<std::uint32_t>(place * categories));
    std::uint32_t cell = 0;
    for (std::uint32_t i = 0; i < round.pair_count; ++i) cell += reading >= number_pair(round, i).first ? 1 : 0;
    return cell;
  };
  if (const auto* const grr = std::get_if<GrrSpec>(&spec))
    return two_level(std::ldexp(grr->threshold, -32), grr->categories, category_in(grr->categories), 1);
  const auto& hash = std::get<WalshHashSpec>(spec);
  const std::uint32_t own = walsh_hash_of(hash, {manifest.seed, pseudonym, round.number}, category_in(hash.categories));
  return two_level(std::ldexp(hash.threshold, -32), std::uint32_t{1} << hash.bits, own, 1);
}

/// One study of a fleet, from its file to the model.
inline Model answered_by_channels(const EverydayWorld& world, std::uint64_t seed) {
  const auto study = read_study(world.study(), "the study");
  EXPECT_TRUE(study) << study.error().what;
  const auto compiled = compile_study(study.value(), repeatable_seed(seed));
  const auto manifest = read_manifest(compiled.value().manifest, "the manifest");
  const auto protocol = start_protocol(study.value(), manifest.value(), nullptr);
  std::vector<std::int32_t> readings(world.devices());
  std::vector<std::uint8_t> cohorts(world.devices());
  DeviceRows rows;
  for (std::uint64_t d = 0; d < world.devices(); ++d) {
    world.read(d, rows);
    readings[d] = rows.readings.front();
    cohorts[d] = static_cast<std::uint8_t>(cohort_of(manifest.value(), d + 1));
  }
  Xoshiro random(seed, 1u << 20);
  for (;;) {
    const auto bytes = protocol.value()->open();
    EXPECT_TRUE(bytes) << bytes.error().what;
    if (!bytes.value()) break;
    const auto round = read_round(*bytes.value(), "the round");
    const auto spec = round_spec(manifest.value(), round.value());
    auto sums = RoundAggregate::open(manifest.value(), round.value());
    EXPECT_TRUE(sums) << sums.error().what;
    for (std::uint64_t d = 0; d < world.devices(); ++d) {
      if (cohorts[d] == round.value().cohort)
        sums.value().absorb(d + 1,
                            channel_report(manifest.value(), round.value(), spec.value(), d + 1, readings[d], random));
    }
    const auto closed = protocol.value()->close(sums.value());
    EXPECT_TRUE(closed) << closed.error().what;
  }
  return protocol.value()->model();
}

}  // namespace sotto::analyzer
