// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <string>

#include "sotto/spec/block.hpp"
#include "sotto/spec/cross_polytope.hpp"
#include "sotto/spec/grr.hpp"
#include "sotto/spec/hemisphere.hpp"
#include "sotto/spec/walsh_hash.hpp"
#include "sotto/spec/window.hpp"
#include "two_level_oracle.hpp"

namespace sotto::exact {
namespace {

/// The configurations that the mechanisms' documentation tables, with thresholds computed elsewhere in 60-digit arithmetic as
/// floor(2^32 kE/(kE + M - k)). The device derives the same, or one less where its bound of e^-epsilon (above the true value by
/// up to 2^-36) falls on the other side of an integer; never more.
template <class Spec>
void expect_tabled(Spec spec, std::uint32_t tabled) {
  SCOPED_TRACE("threshold " + std::to_string(tabled));
  ASSERT_EQ(derive(spec), Status::ok);
  const TwoLevel c = channel(spec);
  EXPECT_LE(spec.threshold, tabled);
  EXPECT_GE(spec.threshold + 1, tabled);
  EXPECT_TRUE(proven_within(c, exp_nano(spec.epsilon)));
  EXPECT_TRUE(proven_within({c.outcomes, c.inside, tabled}, exp_nano(spec.epsilon)));
  EXPECT_TRUE(proven_beyond({c.outcomes, c.inside, tabled + 1}, exp_nano(spec.epsilon)));
  if (spec.epsilon <= 8 * k_epsilon_one) {
    EXPECT_TRUE(proven_beyond(c, exp_nano(spec.epsilon - spec.epsilon / 1'000'000)));
  }
  if (spec.threshold != tabled) {
    // The tabled one is right in rationals, and the device refuses it: the price of its bound, less than a nano-nat.
    EXPECT_EQ(two_level_check({c.outcomes, c.inside, tabled}, spec.epsilon), Status::overspent);
    EXPECT_TRUE(proven_beyond({c.outcomes, c.inside, tabled}, exp_nano(spec.epsilon - 1)));
  }
}

constexpr EpsilonNano nano(double epsilon) { return static_cast<EpsilonNano>(epsilon * 10) * (k_epsilon_one / 10); }

TEST(TabledThresholds, one_bit) {
  struct Row {
    double epsilon;
    std::uint32_t threshold;
  };
  for (const auto& [epsilon, threshold] : {Row{0.5, 2673442470u},
                                           {1, 3139872686u},
                                           {2, 3782994644u},
                                           {4, 4217717112u},
                                           {6, 4284347460u},
                                           {8, 4293526978u},
                                           {12, 4294940906u}}) {
    expect_tabled(HemisphereSpec{nano(epsilon), 64, 0}, threshold);
    expect_tabled(GrrSpec{nano(epsilon), 2, 0}, threshold);
  }
}

TEST(TabledThresholds, cross_polytope) {
  struct Row {
    double epsilon;
    std::uint32_t log2_size, closest, threshold;
  };
  for (const auto& [epsilon, log2_size, closest, threshold] : {Row{0.5, 6, 54, 2345474990u},
                                                               {0.5, 7, 108, 2345474990u},
                                                               {0.5, 8, 216, 2345474990u},
                                                               {1, 6, 45, 2558762208u},
                                                               {1, 7, 89, 2540963786u},
                                                               {1, 8, 177, 2532008365u},
                                                               {2, 6, 28, 2895469976u},
                                                               {2, 7, 56, 2895469976u},
                                                               {2, 8, 111, 2884630970u},
                                                               {4, 6, 9, 3457622850u},
                                                               {4, 7, 17, 3415490905u},
                                                               {4, 8, 33, 3392939760u},
                                                               {6, 6, 2, 3714851009u},
                                                               {6, 7, 4, 3714851009u},
                                                               {6, 8, 8, 3714851009u},
                                                               {8, 6, 1, 4119462720u},
                                                               {8, 7, 1, 3956515231u},
                                                               {8, 8, 2, 3956515231u}}) {
    expect_tabled(CrossPolytopeSpec{nano(epsilon), log2_size, 64, closest, 0}, threshold);
  }
}

TEST(TabledThresholds, window) {
  struct Row {
    double epsilon;
    std::uint32_t outcomes, width, threshold;
  };
  for (const auto& [epsilon, outcomes, width, threshold] : {Row{1.5, 3, 1, 2969705547u},
                                                            {2, 3, 1, 3380079313u},
                                                            {3, 7, 2, 3819556050u},
                                                            {4, 12, 3, 4071263897u},
                                                            {4, 16, 4, 4071263897u},
                                                            {5, 26, 5, 4176767379u},
                                                            {6, 16, 2, 4221715195u},
                                                            {6, 48, 7, 4233503573u},
                                                            {8, 64, 5, 4278032878u}}) {
    expect_tabled(WindowSpec{nano(epsilon), outcomes, width, 0}, threshold);
  }
}

TEST(TabledThresholds, walsh_hash) {
  struct Row {
    double epsilon;
    std::uint32_t bits, threshold;
  };
  for (const auto& [epsilon, bits, threshold] :
       {Row{0.5, 1, 2673442470u}, {1, 2, 2041685230u}, {2, 3, 2205548027u}, {3, 4, 2458754568u}, {4, 6, 1994055763u}}) {
    expect_tabled(WalshHashSpec{nano(epsilon), 1025, bits, 0}, threshold);
  }
}

TEST(TabledThresholds, block) { expect_tabled(BlockSpec{nano(8), 24, 5, 0}, 3900421855u); }

}  // namespace
}  // namespace sotto::exact
