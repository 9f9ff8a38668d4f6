// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <array>
#include <string>

#include "channel_table.hpp"
#include "sotto/certified.hpp"
#include "sotto/spec/two_level_spec.hpp"

namespace sotto::exact {

inline constexpr std::array<std::uint8_t, 32> k_study_seed = {7, 7, 7, 1, 2, 3};

/// Derives and certifies a spec; an empty certificate, and a failed test, when that is refused.
template <class Spec>
Certified<Spec> certified(Spec spec) {
  Certified<Spec> out;
  EXPECT_EQ(derive(spec), Status::ok);
  EXPECT_EQ(certify(spec, spec.epsilon, out), Status::ok);
  return out;
}

/// The words of one report over channel c.
inline std::vector<std::uint32_t> two_level_words(const TwoLevel& c, std::uint32_t coin, std::uint32_t inside,
                                                  std::uint32_t outside) {
  std::vector<std::uint32_t> words{coin};
  append_below(words, c.inside, inside);
  append_below(words, c.outcomes - c.inside, outside);
  return words;
}

/// Runs the compiled randomizer on scripted words: report(coins) calls it. Words consumed are the script's, for every input.
template <class Report>
Sides enumerate_compiled(const TwoLevel& c, Report report) {
  PrivateCoins coins;
  EXPECT_EQ(coins.begin_report({}), Status::ok);
  return enumerate(c, [&](std::uint32_t coin, std::uint32_t inside, std::uint32_t outside) {
    play(two_level_words(c, coin, inside, outside));
    const std::uint32_t y = report(coins);
    EXPECT_TRUE(played_to_the_end());
    return y;
  });
}

/// The certificate of a spec and what must break it: a threshold one part in 2^20 higher overspends in rationals and is refused
/// by certify(), and so is the next threshold above the derived one.
template <class Spec>
void expect_certificate_and_mutations(const Spec& spec, const std::vector<Mixture>& inputs, std::uint64_t shares = 1) {
  SCOPED_TRACE("epsilon " + std::to_string(spec.epsilon) + " nano");
  expect_certificate(table(channel(spec), inputs, shares), spec.epsilon);

  Spec mutated = spec;
  mutated.threshold = spec.threshold + (spec.threshold >> 20) + 1;
  Certified<Spec> none;
  EXPECT_TRUE(overspends(table(channel(mutated), inputs, shares), spec.epsilon));
  EXPECT_EQ(certify(mutated, k_epsilon_max, none), Status::overspent);
  EXPECT_FALSE(none.valid());

  mutated.threshold = spec.threshold + 1;
  EXPECT_EQ(certify(mutated, k_epsilon_max, none), Status::overspent);
  EXPECT_FALSE(none.valid());
}

}  // namespace sotto::exact
