// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <set>

#include "certificate.hpp"
#include "sotto/randomize/cross_polytope.hpp"
#include "sotto/randomize/hemisphere.hpp"
#include "sotto/randomize/sphere_code.hpp"
#include "support/seeded_entropy.hpp"

namespace sotto::exact {
namespace {

constexpr CoinLabel k_label{k_study_seed.data(), 43, 2};

/// Directions that try the tie rules: zero (all coordinates tie), one-sparse and flat vectors, the extremes of Q15, a random one
/// and its opposite.
std::vector<std::vector<Q15>> trying_inputs(std::uint32_t dimension) {
  std::vector<std::vector<Q15>> out(7, std::vector<Q15>(dimension, 0));
  out[1][0] = 32767;
  out[2].assign(dimension, 4096);
  out[3].assign(dimension, -32768);
  SeededEntropy random{99};
  for (std::uint32_t j = 0; j < dimension; ++j) {
    out[4][j] = static_cast<Q15>(static_cast<std::int32_t>(random.word() >> 18) - 8192);
    out[5][j] = static_cast<Q15>(-out[4][j]);
    out[6][j] = static_cast<Q15>(j % 2 == 0 ? 1 : -1);
  }
  return out;
}

void expect_exactly_k_inside(const TwoLevel& c, const Sides& sides) {
  EXPECT_EQ(std::set<std::uint32_t>(sides.inside.begin(), sides.inside.end()).size(), c.inside);
  std::set<std::uint32_t> all(sides.outside.begin(), sides.outside.end());
  EXPECT_EQ(all.size(), c.outcomes - c.inside);
  all.insert(sides.inside.begin(), sides.inside.end());
  EXPECT_EQ(all.size(), c.outcomes) << "the two sides are disjoint and cover every outcome";
}

TEST(HemisphereCertificate, holds_for_every_epsilon_on_both_sides) {
  for (const EpsilonNano epsilon : k_epsilons) {
    const auto spec = certified(HemisphereSpec{epsilon, 16, 0});
    std::vector<Mixture> inputs;
    for (const auto& x : trying_inputs(16)) {
      inputs.push_back({enumerate_compiled(channel(spec.spec()), [&](PrivateCoins& coins) {
        std::uint32_t y = ~0u;
        EXPECT_EQ(hemisphere(spec, k_label, x, coins, y), Status::ok);
        return y;
      })});
    }
    EXPECT_EQ(inputs[0][0].inside.front(), 1u) << "zero counts as the positive side";
    expect_certificate_and_mutations(spec.spec(), inputs);
  }
}

TEST(CrossPolytopeCertificate, holds_for_every_epsilon_with_ties_and_without_and_always_has_exactly_k_inside) {
  constexpr std::uint32_t k_tabled[] = {62, 54, 45, 28, 9, 1};  // k for D = 64 at the six epsilons
  for (std::size_t e = 0; e < std::size(k_epsilons); ++e) {
    const auto spec = certified(CrossPolytopeSpec{k_epsilons[e], 6, 40, k_tabled[e], 0});
    const TwoLevel c = channel(spec.spec());
    std::vector<Mixture> inputs;
    for (const auto& x : trying_inputs(40)) {
      inputs.push_back({enumerate_compiled(c, [&](PrivateCoins& coins) {
        std::uint32_t y = ~0u;
        std::int32_t work[64];
        EXPECT_EQ(cross_polytope(spec, k_label, x, work, coins, y), Status::ok);
        return y;
      })});
      expect_exactly_k_inside(c, inputs.back()[0]);
    }
    expect_certificate_and_mutations(spec.spec(), inputs);
  }
}

TEST(CrossPolytopeCertificate, holds_for_rotated_coordinates_that_are_all_ties) {
  const auto spec = certified(CrossPolytopeSpec{4'000'000'000, 6, 64, 9, 0});
  const TwoLevel c = channel(spec.spec());
  std::vector<Mixture> inputs;
  // Equal sizes, equal sizes below the kept bits, sizes beyond the cut, the most negative number, and half of each sign.
  for (const auto& [even, odd] :
       {std::pair{0, 0}, {70000, 70000}, {1, 2}, {3, -3}, {1 << 28, (1 << 28) - 1}, {-2147483647 - 1, 2147483647}}) {
    std::int32_t rotated[64];
    for (int j = 0; j < 64; ++j) rotated[j] = j % 2 == 0 ? even : odd;
    inputs.push_back({enumerate(c, [&](std::uint32_t coin, std::uint32_t inside, std::uint32_t outside) {
      std::int32_t work[64];
      std::copy(std::begin(rotated), std::end(rotated), work);
      return cross_polytope_report(spec.spec(), work, {coin, inside, outside});
    })});
    expect_exactly_k_inside(c, inputs.back()[0]);
  }
  expect_certificate_and_mutations(spec.spec(), inputs);
}

TEST(SphereCodeCertificate, holds_for_every_epsilon_and_always_has_exactly_k_inside) {
  for (const EpsilonNano epsilon : k_epsilons) {
    for (const auto& [codewords, closest] : {std::pair{2u, 1u}, {5u, 4u}, {48u, 7u}, {64u, 1u}}) {
      const auto spec = certified(SphereCodeSpec{epsilon, 4, codewords, closest, 0});
      const TwoLevel c = channel(spec.spec());
      std::vector<Mixture> inputs;
      for (const auto& x : trying_inputs(4)) {
        inputs.push_back({enumerate_compiled(c, [&](PrivateCoins& coins) {
          std::uint32_t y = ~0u;
          std::uint16_t work[64];
          EXPECT_EQ(sphere_code(spec, k_label, x, work, coins, y), Status::ok);
          return y;
        })});
        expect_exactly_k_inside(c, inputs.back()[0]);
      }
      expect_certificate_and_mutations(spec.spec(), inputs);
    }
  }
}

}  // namespace
}  // namespace sotto::exact
