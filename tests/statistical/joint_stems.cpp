// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "joint_stems.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sotto/analyzer/audit/noise_law.hpp"
#include "sotto/randomize/block.hpp"
#include "sotto/randomize/cross_polytope.hpp"
#include "sotto/randomize/gaussian.hpp"
#include "sotto/randomize/grr.hpp"
#include "sotto/randomize/hadamard_response.hpp"
#include "sotto/randomize/hemisphere.hpp"
#include "sotto/randomize/laplace.hpp"
#include "sotto/randomize/sphere_code.hpp"
#include "sotto/randomize/vote.hpp"
#include "sotto/randomize/walsh_hash.hpp"
#include "sotto/randomize/window.hpp"

namespace sotto::joint {

namespace {

constexpr std::array<std::uint8_t, 32> k_study_seed = {9, 8, 7, 6};
constexpr CoinLabel k_label{k_study_seed.data(), 17, 4};
constexpr EpsilonNano k_epsilon = 2 * k_epsilon_one;

template <class Spec>
Certified<Spec> certified(Spec spec) {
  Certified<Spec> out;
  EXPECT_EQ(derive(spec), Status::ok);
  EXPECT_EQ(certify(spec, spec.epsilon, out), Status::ok);
  return out;
}

/// Adds the law of a two-level channel, enumerated through the pure function: every rank on both sides of the coin.
template <class Pure>
void add_law(std::vector<double>& law, const TwoLevel& c, double share, Pure pure) {
  const double inside = std::ldexp(c.threshold, -32);
  for (std::uint32_t i = 0; i < c.inside; ++i) law.at(pure(TwoLevelDraw{0, i, 0})) += share * inside / c.inside;
  const std::uint32_t others = c.outcomes - c.inside;
  for (std::uint32_t j = 0; j < others; ++j) law.at(pure(TwoLevelDraw{~0u, 0, j})) += share * (1 - inside) / others;
}

/// run(coins, y) calls the compiled randomizer.
template <class Pure, class Run>
JointStem two_level(std::string name, std::uint32_t bits, const TwoLevel& c, Pure pure, Run run) {
  JointStem stem{std::move(name), bits, std::vector<double>(std::size_t{1} << bits, 0.0), nullptr};
  add_law(stem.law, c, 1, pure);
  stem.report = [run](PrivateCoins& coins) {
    std::uint32_t y = 0;
    EXPECT_EQ(run(coins, y), Status::ok);
    return y;
  };
  return stem;
}

JointStem window_stem() {
  const auto spec = certified(WindowSpec{k_epsilon, 16, 4, 0});
  constexpr std::int32_t k_x = 5000;  // between two levels: position 69.1, so 9.1 per cent are rounded up
  const std::uint32_t position = (k_x + 32768u) * 12u;
  const double up = std::ldexp(position & 0xffffu, -16);
  JointStem stem = two_level(
      "window", 4, channel(spec.spec()), [](const TwoLevelDraw&) { return 0u; },
      [spec](PrivateCoins& coins, std::uint32_t& y) { return window(spec, k_x, coins, y); });
  std::fill(stem.law.begin(), stem.law.end(), 0.0);
  for (const auto& [round, share] : {std::pair{0u, up}, {~0u, 1 - up}}) {
    add_law(stem.law, channel(spec.spec()), share, [&, r = round](const TwoLevelDraw& d) {
      return window_report(spec.spec(), k_x, {r, d});
    });
  }
  return stem;
}

JointStem laplace_stem() {
  const auto spec = certified(LaplaceSpec{k_epsilon, 4, 0});
  const std::vector<double> noise = analyzer::audit::laplace_law(spec.spec());
  JointStem stem{"laplace", spec.spec().bits, std::vector<double>(noise.size()), nullptr};
  for (std::uint32_t z = 0; z < noise.size(); ++z) stem.law[laplace_report(spec.spec(), 3, z)] = noise[z];
  stem.report = [spec](PrivateCoins& coins) {
    std::uint32_t y = 0;
    EXPECT_EQ(laplace(spec, 3, coins, y), Status::ok);
    return y;
  };
  return stem;
}

JointStem gaussian_stem() {
  constexpr std::int32_t k_half = 64;  // reports are kept to seven bits, around zero; both ends collect the tails
  const auto spec = certified(GaussianSpec{4 * k_epsilon_one, 18446744073709u, 8, 0, 1});
  const std::uint32_t variance = spec.spec().variance;
  JointStem stem{"gaussian", 7, std::vector<double>(2 * k_half), nullptr};
  for (std::int32_t y = -k_half; y < k_half; ++y) {
    const double from = y == -k_half ? 1 : analyzer::audit::gaussian_upper_tail(variance, y - 3);
    const double to = y == k_half - 1 ? 0 : analyzer::audit::gaussian_upper_tail(variance, y - 2);
    stem.law[static_cast<std::size_t>(y + k_half)] = from - to;
  }
  stem.report = [spec](PrivateCoins& coins) {
    std::int32_t value = 3;
    EXPECT_EQ(gaussian(spec, {&value, 1}, coins), Status::ok);
    return static_cast<std::uint32_t>(std::clamp(value, -k_half, k_half - 1) + k_half);
  };
  return stem;
}

std::vector<Q15> direction(std::uint32_t dimension) {
  std::vector<Q15> x(dimension);
  for (std::uint32_t j = 0; j < dimension; ++j) x[j] = static_cast<Q15>(4000 * std::cos(0.7 + 2.4 * j));
  return x;
}

JointStem cross_polytope_stem() {
  const auto spec = certified(CrossPolytopeSpec{k_epsilon, 6, 64, 28, 0});
  const std::vector<Q15> x = direction(64);
  std::vector<std::int32_t> rotated(64);
  cross_polytope_rotate(spec.spec(), k_label, x, rotated);
  return two_level(
      "cross_polytope", 7, channel(spec.spec()),
      [&](const TwoLevelDraw& d) {
        std::vector<std::int32_t> work = rotated;
        return cross_polytope_report(spec.spec(), work, d);
      },
      [spec, x](PrivateCoins& coins, std::uint32_t& y) {
        std::int32_t work[64];
        return cross_polytope(spec, k_label, x, work, coins, y);
      });
}

JointStem sphere_code_stem() {
  const auto spec = certified(SphereCodeSpec{k_epsilon, 6, 64, 14, 0});
  const std::vector<Q15> x = direction(6);
  std::vector<std::uint16_t> scores(64);
  sphere_code_scores(spec.spec(), k_label, x, scores);
  return two_level(
      "sphere_code", 6, channel(spec.spec()),
      [&](const TwoLevelDraw& d) { return sphere_code_report(spec.spec(), scores, d); },
      [spec, x](PrivateCoins& coins, std::uint32_t& y) {
        std::uint16_t work[64];
        return sphere_code(spec, k_label, x, work, coins, y);
      });
}

JointStem hemisphere_stem() {
  const auto spec = certified(HemisphereSpec{k_epsilon, 24, 0});
  const std::vector<Q15> x = direction(24);
  const TwoLevel c = channel(spec.spec());
  const std::uint32_t side = hemisphere_side(k_label, x);
  return two_level(
      "hemisphere", 1, c, [=](const TwoLevelDraw& d) { return d.coin < c.threshold ? side : 1 - side; },
      [spec, x](PrivateCoins& coins, std::uint32_t& y) { return hemisphere(spec, k_label, x, coins, y); });
}

std::vector<JointStem> category_stems() {
  const auto flat = certified(GrrSpec{k_epsilon, 8, 0});
  const auto hash = certified(WalshHashSpec{k_epsilon, 500, 3, 0});
  const auto ballot = certified(VoteSpec{k_epsilon, 400, 0, 0, 0});
  const auto response = certified(HadamardResponseSpec{k_epsilon, 5, 31, 0});
  const auto signs = certified(BlockSpec{k_epsilon, 8, 2, 0});
  const TwoLevel flat_c = channel(flat.spec()), hash_c = channel(hash.spec()), ballot_c = channel(ballot.spec());
  const std::uint32_t hashed = walsh_hash_of(hash.spec(), k_label, 321);
  const std::uint32_t none = walsh_hash_of(as_walsh_hash(ballot.spec()), k_label, 400);
  EXPECT_EQ(ballot.spec().bits, 3u);
  return {
      two_level(
          "grr", 3, flat_c, [&](const TwoLevelDraw& d) { return grr_report(flat_c, 5, d); },
          [flat](PrivateCoins& coins, std::uint32_t& y) { return grr(flat, 5, coins, y); }),
      two_level(
          "walsh_hash", 3, hash_c, [&](const TwoLevelDraw& d) { return grr_report(hash_c, hashed, d); },
          [hash](PrivateCoins& coins, std::uint32_t& y) { return walsh_hash(hash, k_label, 321, coins, y); }),
      two_level(
          "vote", 3, ballot_c, [&](const TwoLevelDraw& d) { return grr_report(ballot_c, none, d); },
          [ballot](PrivateCoins& coins, std::uint32_t& y) { return vote(ballot, k_label, 400, coins, y); }),
      two_level(
          "hadamard_response", 5, channel(response.spec()),
          [&](const TwoLevelDraw& d) { return hadamard_response_report(response.spec(), 12, d); },
          [response](PrivateCoins& coins, std::uint32_t& y) { return hadamard_response(response, 12, coins, y); }),
      two_level(
          "block", 8, channel(signs.spec()), [&](const TwoLevelDraw& d) { return block_report(signs.spec(), 0xa5, d); },
          [signs](PrivateCoins& coins, std::uint32_t& y) { return block(signs, 0xa5, coins, y); }),
  };
}

}  // namespace

std::vector<JointStem> joint_stems() {
  std::vector<JointStem> stems = category_stems();
  for (JointStem& s : std::vector<JointStem>{window_stem(), laplace_stem(), gaussian_stem(), hemisphere_stem(),
                                             cross_polytope_stem(), sphere_code_stem()}) {
    stems.push_back(std::move(s));
  }
  return stems;
}

}  // namespace sotto::joint
