// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Questions through every randomizer: the mean that the analyzer recovers from many devices with the same rows and different
// public and private coins, alpha = k_alpha for each test.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "question_rows.hpp"
#include "sotto/analyzer/aggregate/block.hpp"
#include "sotto/analyzer/aggregate/cross_polytope.hpp"
#include "sotto/analyzer/aggregate/gaussian.hpp"
#include "sotto/analyzer/aggregate/grr.hpp"
#include "sotto/analyzer/aggregate/hadamard_response.hpp"
#include "sotto/analyzer/aggregate/hemisphere.hpp"
#include "sotto/analyzer/aggregate/laplace.hpp"
#include "sotto/analyzer/aggregate/sphere_code.hpp"
#include "sotto/analyzer/aggregate/walsh_hash.hpp"
#include "sotto/analyzer/aggregate/window.hpp"
#include "sotto/choices.hpp"
#include "sotto/question/bin.hpp"
#include "sotto/question/block.hpp"
#include "sotto/question/direction.hpp"
#include "sotto/question/label.hpp"
#include "sotto/question/synopsis.hpp"
#include "sotto/question/value.hpp"
#include "statistical_bounds.hpp"

namespace sotto::analyzer {
namespace {

std::uint32_t number_in(std::span<const std::uint8_t> payload) {
  std::uint32_t v = 0;
  for (std::size_t i = 0; i < payload.size(); ++i) v |= std::uint32_t{payload[i]} << (8 * i);
  return v;
}

std::vector<std::int32_t> numbers_in(std::span<const std::uint8_t> payload) {
  std::vector<std::int32_t> out;
  for (std::size_t i = 0; i + 2 < payload.size(); i += 3) {
    const std::uint32_t v = number_in(payload.subspan(i, 3));
    out.push_back(static_cast<std::int32_t>(v << 8) >> 8);
  }
  return out;
}

template <class Spec>
Spec derived_spec(const AskedQuestion& asked, Spec spec) {
  spec.epsilon = asked.manifest.epsilon;
  if constexpr (requires { spec.delta; }) spec.delta = asked.manifest.delta;
  EXPECT_EQ(derive(spec), Status::ok);
  return spec;
}

template <class Each>
void ask_devices(AskedQuestion& asked, const Question& question, std::uint32_t devices, Each each) {
  for (std::uint32_t device = 1; device <= devices; ++device) {
    asked.pseudonym = device;
    const std::span<const std::uint8_t> payload = asked.answer(question, asked.mapped(), 1000000 + device);
    ASSERT_FALSE(payload.empty());
    each(asked.asked(true).label, payload);
  }
}

template <class Aggregate, class Spec>
void expect_direction(AskedQuestion& asked, const Spec& spec, const Vector& wanted, double bias) {
  asked.through(spec);
  auto opened = Aggregate::open(derived_spec(asked, spec));
  ASSERT_TRUE(opened.ok());
  Aggregate aggregate = opened.value();
  ask_devices(asked, k_direction, 20000, [&](const CoinLabel& label, std::span<const std::uint8_t> payload) {
    ASSERT_TRUE(aggregate.absorb(label, number_in(payload)));
  });
  const VectorMean mean = aggregate.close();
  for (std::size_t j = 0; j < wanted.size(); ++j)
    EXPECT_NEAR(mean.mean[j], wanted[j], two_sided_z(3.0 * k_d) * mean.standard_error[j] + bias * std::abs(wanted[j]))
        << j;
}

TEST(QuestionReports, means_of_directions_are_recovered) {
  AskedQuestion asked;
  asked.begin(300);
  const Rows rows{asked};
  asked.ask(Recipe::gradient, {k_one / 16, 2 * k_one, 0, 0, k_scope_all});
  const Vector wanted = lifted(rows.gradient(0, k_m, k_m, rows.theta()), 1.0 / 16);
  expect_direction<CrossPolytopeAggregate>(asked, CrossPolytopeSpec{.log2_size = 6, .dimension = k_d + 1, .closest = 8},
                                           wanted, 0.006);
  expect_direction<SphereCodeAggregate>(asked, SphereCodeSpec{.dimension = k_d + 1, .codewords = 128, .closest = 16},
                                        wanted, 0.006);
  expect_direction<HemisphereAggregate>(asked, HemisphereSpec{.dimension = k_d + 1}, wanted, 0.006);
}

TEST(QuestionReports, means_of_labels_are_recovered) {
  AskedQuestion asked;
  asked.begin(301);
  Rows rows{asked};
  asked.ask(Recipe::target, {16384});
  const WindowSpec window = derived_spec(asked, WindowSpec{.outcomes = 5, .width = 2});
  const LaplaceSpec laplace = derived_spec(asked, LaplaceSpec{.radius = 256});
  const GaussianSpec gaussian = derived_spec(asked, GaussianSpec{.radius = 256, .dimension = 1});
  WindowAggregate windows = WindowAggregate::open(window).value();
  LaplaceAggregate laplaces = LaplaceAggregate::open(laplace).value();
  GaussianAggregate gaussians = GaussianAggregate::open(gaussian).value();
  double wanted = 0;
  constexpr std::uint32_t k_devices = 30000;
  asked.through(window);
  ask_devices(asked, k_label, k_devices, [&](const CoinLabel&, std::span<const std::uint8_t> payload) {
    wanted += 2 * rows.y(rows.chosen()) / k_devices;
    ASSERT_TRUE(windows.absorb(number_in(payload)));
  });
  asked.through(laplace);
  ask_devices(asked, k_label, k_devices, [&](const CoinLabel&, std::span<const std::uint8_t> payload) {
    ASSERT_TRUE(laplaces.absorb(number_in(payload)));
  });
  asked.through(gaussian);
  ask_devices(asked, k_label_noisy, k_devices, [&](const CoinLabel&, std::span<const std::uint8_t> payload) {
    ASSERT_TRUE(gaussians.absorb(numbers_in(payload)));
  });
  const double z = two_sided_z(3), rounding = 0.5 / 256;
  EXPECT_NEAR(windows.close().mean, wanted, z * windows.close().standard_error);
  EXPECT_NEAR(laplaces.close().mean / 256, wanted, z * laplaces.close().standard_error / 256 + rounding);
  EXPECT_NEAR(gaussians.close()[0].mean / 256, wanted, z * gaussians.close()[0].standard_error / 256 + rounding);
}

TEST(QuestionReports, rotated_values_give_the_vector_back) {
  AskedQuestion asked;
  asked.begin(302);
  const Rows rows{asked};
  asked.ask(Recipe::gradient, {0, 2 * k_one, 0, 0, k_scope_all});
  asked.pairs({{-k_one / 8, k_one / 8}});
  const WindowSpec window = derived_spec(asked, WindowSpec{.outcomes = 2, .width = 1});
  asked.through(window);
  std::vector<WindowAggregate> coordinate(8, WindowAggregate::open(window).value());
  ask_devices(asked, k_value, 40000, [&](const CoinLabel& label, std::span<const std::uint8_t> payload) {
    ASSERT_TRUE(coordinate[chosen_coordinate(label, k_d)].absorb(number_in(payload)));
  });
  // Signs and the transform undo themselves.
  PublicCoins signs = rotation_signs(asked.asked(true).label);
  const std::uint32_t bits = signs.word();
  const Vector wanted = rows.gradient(0, k_m, k_m, rows.theta());
  for (std::uint32_t i = 0; i < 8; ++i) {
    double v = 0, variance = 0;
    for (std::uint32_t j = 0; j < 8; ++j) {
      const ScalarMean mean = coordinate[j].close();
      v += (((parity(i & j) ^ bits >> i) & 1u) != 0 ? -1 : 1) * mean.mean / 8 / std::sqrt(8);
      variance += std::pow(mean.standard_error / 8, 2) / 8;
    }
    EXPECT_NEAR(v, i < k_d ? wanted[i] : 0, two_sided_z(8) * std::sqrt(variance)) << i;
  }
}

TEST(QuestionReports, bins_are_counted) {
  AskedQuestion asked;
  asked.begin(303);
  asked.ask(Recipe::row_gradient, {0, 2 * k_one, 0, 0, k_scope_all});
  asked.pairs({{-k_one / 4, k_one / 4}});
  constexpr std::uint32_t k_bins = 10, k_devices = 30000;
  const GrrSpec grr = derived_spec(asked, GrrSpec{.categories = k_bins});
  const WalshHashSpec hash = derived_spec(asked, WalshHashSpec{.categories = k_bins, .bits = 3});
  const HadamardResponseSpec response = derived_spec(asked, HadamardResponseSpec{.log2_size = 4, .categories = k_bins});
  GrrAggregate grrs = GrrAggregate::open(grr).value();
  WalshHashAggregate hashes = WalshHashAggregate::open(hash).value();
  HadamardResponseAggregate responses = HadamardResponseAggregate::open(response).value();
  Vector wanted(k_bins, 0.0);
  asked.through(grr);
  ask_devices(asked, k_bin, k_devices, [&](const CoinLabel&, std::span<const std::uint8_t> payload) {
    wanted[*asked.kept<std::uint32_t>(k_front)] += 1;
    ASSERT_TRUE(grrs.absorb(number_in(payload)));
  });
  asked.through(hash);
  ask_devices(asked, k_bin, k_devices, [&](const CoinLabel& label, std::span<const std::uint8_t> payload) {
    ASSERT_TRUE(hashes.absorb(label, number_in(payload)));
  });
  asked.through(response);
  ask_devices(asked, k_bin, k_devices, [&](const CoinLabel&, std::span<const std::uint8_t> payload) {
    ASSERT_TRUE(responses.absorb(number_in(payload)));
  });
  EXPECT_GT(std::count_if(wanted.begin(), wanted.end(), [](double c) { return c > 0; }), 3);
  const CategoryCounts counts[3] = {grrs.close(), hashes.close(), responses.close()};
  for (const CategoryCounts& c : counts) {
    for (std::uint32_t b = 0; b < k_bins; ++b)
      EXPECT_NEAR(c.count[b], wanted[b], two_sided_z(3.0 * k_bins) * c.standard_error[b]) << b;
  }
}

TEST(QuestionReports, sign_blocks_give_the_gradient_back) {
  AskedQuestion asked;
  asked.begin(304);
  for (std::uint32_t i = 0; i < k_m * (k_d + 1); ++i) {
    if (i % (k_d + 1) != k_d) asked.numbers[i] = asked.numbers[i] < 0 ? Q15{-32768} : Q15{32767};
  }
  Rows rows{asked};
  asked.model({{1, k_one / 8}, {4, -k_one / 16}});
  asked.ask(Recipe::signs, {k_one / 2, k_scope_all});
  const BlockSpec block = derived_spec(asked, BlockSpec{.width = 4, .flips = 1});
  asked.through(block);
  BlockAggregate blocks = BlockAggregate::open(block, k_d).value();
  Vector wanted(k_d, 0.0), held(k_d, 0.0);
  ask_devices(asked, k_block, 60000, [&](const CoinLabel& label, std::span<const std::uint8_t> payload) {
    ASSERT_TRUE(blocks.absorb(label, number_in(payload)));
    const std::uint32_t row = rows.chosen();
    const double r = std::clamp(rows.y(row) - rows.inner(row, rows.theta()), -0.5, 0.5) / 0.5;
    std::uint32_t coordinates[4];
    block_coordinates(label, k_d, coordinates);
    for (const std::uint32_t j : coordinates) {
      wanted[j] += rows.x(row, j) * r;
      held[j] += 1;
    }
  });
  const VectorMean mean = blocks.close();
  for (std::uint32_t j = 0; j < k_d; ++j)
    EXPECT_NEAR(mean.mean[j], wanted[j] / held[j], two_sided_z(k_d) * mean.standard_error[j] + 0.0001) << j;
}

TEST(QuestionReports, noisy_vectors_are_recovered) {
  AskedQuestion asked;
  asked.begin(305);
  asked.manifest.nominal_rows = 1;
  const Rows rows{asked};
  const GaussianSpec gaussian = derived_spec(asked, GaussianSpec{.radius = 500, .dimension = 2 * k_d + 1});
  asked.through(gaussian);
  asked.ask(Recipe::copies, {2 * k_one, 280, 300, 16384, 2, k_scope_all});
  GaussianAggregate aggregate = GaussianAggregate::open(gaussian).value();
  ask_devices(asked, k_synopsis, 5000, [&](const CoinLabel&, std::span<const std::uint8_t> payload) {
    ASSERT_TRUE(aggregate.absorb(numbers_in(payload)));
  });
  const std::vector<ScalarMean> mean = aggregate.close();
  for (std::uint32_t j = 0; j <= 2 * k_d; ++j) {
    const double wanted = j < 2 * k_d ? rows.x(0, j % k_d) / 2 * 280 : rows.y(0) * 2 * 300;
    EXPECT_NEAR(mean[j].mean, wanted, two_sided_z(2 * k_d + 1) * mean[j].standard_error + 0.51) << j;
  }
}

}  // namespace
}  // namespace sotto::analyzer
