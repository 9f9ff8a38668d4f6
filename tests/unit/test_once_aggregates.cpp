// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// What is kept of vectors with additive noise, and what their integers promise.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "sotto/analyzer/aggregate/gaussian.hpp"
#include "sotto/analyzer/aggregate/gaussian_moments.hpp"
#include "sotto/analyzer/aggregate/vector_set.hpp"
#include "sotto/analyzer/math/gaussian_delivered.hpp"

namespace sotto::analyzer {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Vector = std::vector<std::int32_t>;

GaussianSpec spec_of(std::uint32_t dimension) {
  GaussianSpec spec{2 * k_epsilon_one, 18446744073709u, 100, 0, dimension};
  EXPECT_EQ(derive(spec), Status::ok);
  return spec;
}

struct Named {
  std::uint64_t pseudonym;
  Vector numbers;
};

std::vector<Named> reports(std::size_t count, std::uint32_t dimension) {
  std::mt19937_64 random{count};
  std::vector<Named> out;
  for (std::size_t i = 0; i < count; ++i) {
    out.push_back({random(), {}});
    for (std::uint32_t j = 0; j < dimension; ++j)
      out.back().numbers.push_back(static_cast<std::int32_t>(random() % 2001) - 1000 +
                                   static_cast<std::int32_t>(100 * j));
  }
  out[0].numbers.assign(dimension, -(1 << 23));  // the ends of what travels
  out[1].numbers.assign(dimension, (1 << 23) - 1);
  return out;
}

Bytes saved(const auto& sums) {
  Bytes bytes;
  sums.save(bytes);
  return bytes;
}

TEST(GaussianMoments, parts_merge_in_any_order_to_the_moments_of_all_reports) {
  constexpr std::uint32_t k_size = 3;
  const GaussianSpec spec = spec_of(k_size);
  const std::vector<Named> all = reports(500, k_size);
  for (const MomentLayout layout : {MomentLayout::products, MomentLayout::groups}) {
    GaussianMoments one = GaussianMoments::open(spec, layout).value(), first = one, second = one;
    for (const Named& r : all) {
      ASSERT_TRUE(one.absorb(r.pseudonym, r.numbers));
      ASSERT_TRUE((r.pseudonym % 3 == 0 ? first : second).absorb(r.pseudonym, r.numbers));
    }
    ASSERT_TRUE(second.merge(first).ok());
    EXPECT_EQ(saved(one), saved(second));
    const auto loaded = GaussianMoments::load(spec, layout, saved(one));
    ASSERT_TRUE(loaded.ok());
    EXPECT_EQ(saved(loaded.value()), saved(one));
    const std::vector<double> mean = one.mean();
    for (std::size_t j = 0; j < k_size; ++j) {
      double sum = 0;
      for (const Named& r : all) sum += r.numbers[j];
      EXPECT_NEAR(mean[j], sum / 500, 1e-9);
    }
  }
  GaussianMoments sums = GaussianMoments::open(spec, MomentLayout::products).value();
  for (const Named& r : all) (void)sums.absorb(r.pseudonym, r.numbers);
  const std::vector<double> second = sums.second_moments();
  for (std::size_t i = 0; i < k_size; ++i) {
    for (std::size_t j = 0; j < k_size; ++j) {
      long double sum = 0;
      for (const Named& r : all) sum += static_cast<long double>(r.numbers[i]) * r.numbers[j];
      const double noise = i == j ? discrete_gaussian_variance(spec.variance) : 0;
      EXPECT_NEAR(second[i * k_size + j], static_cast<double>(sum / 500) - noise, 1e-3);
    }
  }
}

TEST(GaussianMoments, groups_are_the_pseudonyms_modulo_their_number) {
  GaussianMoments sums = GaussianMoments::open(spec_of(2), MomentLayout::groups).value();
  for (std::uint64_t p = 1; p <= 40; ++p) {
    if (p % k_vector_groups == 3) continue;
    ASSERT_TRUE(sums.absorb(p, Vector{static_cast<std::int32_t>(p % k_vector_groups), 5}));
  }
  const auto means = sums.group_means();
  ASSERT_EQ(means.size(), k_vector_groups - 1u);  // a group without reports has no mean
  for (const auto& mean : means) EXPECT_EQ(mean[1], 5);
  EXPECT_EQ(means[3][0], 4);
}

TEST(GaussianMoments, refuses_what_no_device_sends) {
  GaussianMoments sums = GaussianMoments::open(spec_of(2), MomentLayout::products).value();
  EXPECT_FALSE(sums.absorb(1, Vector{1}));
  EXPECT_FALSE(sums.absorb(1, Vector{1, 1 << 23}));
  EXPECT_FALSE(sums.absorb(1, Vector{1, -(1 << 23) - 1}));
  EXPECT_EQ(sums.used(), 0u);
  EXPECT_FALSE(GaussianMoments::load(spec_of(2), MomentLayout::groups, saved(sums)).ok());
}

TEST(GaussianMoments, payloads_are_three_bytes_twos_complement) {
  EXPECT_EQ(unpack_vector(Bytes{1, 0, 0, 0xff, 0xff, 0xff, 0, 0, 0x80, 0xff, 0xff, 0x7f}),
            (Vector{1, -1, -(1 << 23), (1 << 23) - 1}));
}

TEST(VectorSet, reads_by_rising_pseudonym_whatever_the_order_and_survives_its_file) {
  const GaussianSpec spec = spec_of(4);
  const std::vector<Named> all = reports(300, 4);
  VectorSet one = VectorSet::open(spec).value(), first = one, second = one;
  for (const Named& r : all) {
    ASSERT_TRUE(one.absorb(r.pseudonym, r.numbers));
    ASSERT_TRUE((r.pseudonym % 2 == 0 ? first : second).absorb(r.pseudonym, r.numbers));
  }
  ASSERT_TRUE(second.merge(first).ok());
  EXPECT_EQ(saved(one), saved(second));
  std::vector<Named> sorted = all;
  std::ranges::sort(sorted, {}, &Named::pseudonym);
  const std::vector<std::uint32_t> order = second.order();
  for (std::size_t i = 0; i < sorted.size(); ++i)
    ASSERT_TRUE(std::ranges::equal(second.report(order[i]), sorted[i].numbers));
  EXPECT_FALSE(one.absorb(1, Vector{1}));

  const Bytes bytes = saved(one);
  EXPECT_EQ(saved(VectorSet::load(spec, bytes).value()), bytes);
  const auto code = [&](const GaussianSpec& as, const Bytes& given) { return VectorSet::load(as, given).error().code; };
  EXPECT_EQ(code(spec_of(5), bytes), "aggregate.other_spec");
  EXPECT_EQ(code(spec, Bytes(bytes.begin(), bytes.end() - 1)), "aggregate.truncated");
  EXPECT_EQ(code(spec, Bytes(20)), "aggregate.truncated");
  Bytes changed = bytes;
  changed[60] ^= 1;
  EXPECT_EQ(code(spec, changed), "aggregate.altered");
  changed = bytes;
  changed[0] = 9;
  EXPECT_EQ(code(spec, changed), "aggregate.bad_version");
}

TEST(GaussianDelivered, is_the_least_epsilon_that_the_integers_allow) {
  for (const std::uint32_t dimension : {2u, 65u, 4096u}) {
    GaussianSpec spec = spec_of(dimension);
    const EpsilonNano least = delivered_epsilon(spec);
    EXPECT_LE(least, spec.epsilon);
    EXPECT_GT(least, spec.epsilon - spec.epsilon / 100);
    const double rho = 4.0 * spec.radius * spec.radius / (2.0 * spec.variance);
    const double delta = std::ldexp(static_cast<double>(spec.delta) - dimension, -64);
    EXPECT_LE(zcdp_delta(rho, static_cast<double>(least) / 1e9), delta);
    EXPECT_GT(zcdp_delta(rho, static_cast<double>(least - 1) / 1e9), delta);
    spec.variance *= 2;  // more noise than is needed delivers less
    EXPECT_LT(delivered_epsilon(spec), least);
  }
  // Known: a Gaussian of 1-zCDP at delta 1e-6 is below the classical rho + 2 sqrt(rho ln 1/delta).
  EXPECT_LT(zcdp_delta(1, 1 + 2 * std::sqrt(std::log(1e6))), 1e-6);
}

}  // namespace
}  // namespace sotto::analyzer
