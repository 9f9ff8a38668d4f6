// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "sotto/analyzer/accountant/calibrate.hpp"

namespace sotto::analyzer {
namespace {

/// Agreement to so many significant digits.
void expect_digits(double value, double reference, double digits) {
  EXPECT_NEAR(value, reference, std::abs(reference) * std::pow(10, -digits) / 2) << "reference " << reference;
}

double poisson_epsilon(double q, double z, double steps, double delta) {
  return epsilon_of(steps * poisson_curve(q, z), delta).epsilon;
}

double without_replacement_epsilon(double share, double z, double steps, double delta) {
  return epsilon_of(steps * without_replacement_curve(share, z), delta).epsilon;
}

TEST(Accountant, one_sampled_step_costs_what_quadrature_gives_at_whole_orders) {
  expect_digits(poisson_renyi(0.01, 1, 2), 1.718134220745e-04, 11);
  expect_digits(poisson_renyi(0.01, 1, 8), 8.936439076060e-04, 11);
  expect_digits(poisson_renyi(0.01, 1, 16), 3.087850784, 9);
  expect_digits(poisson_renyi(0.01, 1, 32), 11.24627594, 9);
  expect_digits(poisson_renyi(0.01, 4, 32), 1.052636065908e-04, 11);
  expect_digits(poisson_renyi(0.1, 2, 5), 7.736968489796e-03, 11);
  expect_digits(poisson_renyi(0.1, 2, 8), 0.0137254301, 9);
  expect_digits(poisson_renyi(0.1, 5, 32), 0.007381268914, 9);
  expect_digits(poisson_renyi(0.5, 8, 16), 0.03325654044, 9);
  expect_digits(poisson_renyi(0.001, 0.8, 16), 5.131727773021, 11);
  expect_digits(poisson_renyi(0.05, 1.5, 10), 9.850284806431e-03, 11);
}

TEST(Accountant, fractional_orders_lie_between_the_whole_ones) {
  expect_digits(poisson_renyi(0.01, 2.5, 1.5), 1.30014179437e-05, 9);
  expect_digits(poisson_renyi(0.01, 2.5, 2.5), 2.17083611383e-05, 9);
  // The series for fractional orders meets the finite sum.
  for (const double order : {2.0, 3.0, 8.0}) {
    expect_digits(poisson_renyi(0.1, 2, order + 1e-9), poisson_renyi(0.1, 2, order), 7);
  }
}

TEST(Accountant, sampling_without_replacement_costs_what_the_theorem_says) {
  expect_digits(without_replacement_renyi(0.01, 1, 2), 5.435086381094e-04, 11);
  expect_digits(without_replacement_renyi(0.01, 1, 8), 2.684165012689e-03, 11);
  expect_digits(without_replacement_renyi(0.01, 4, 32), 8.244724720194e-04, 11);
  expect_digits(without_replacement_renyi(0.1, 2, 5), 3.725054208746e-02, 11);
  expect_digits(without_replacement_renyi(0.001, 2, 16), 9.247335987074e-06, 11);
  expect_digits(without_replacement_renyi(0.05, 3, 10), 1.062839294848e-02, 11);
  expect_digits(without_replacement_renyi(0.5, 8, 16), 0.125, 12);  // never more than without sampling
}

TEST(Accountant, composed_costs_convert_to_the_reference_epsilons) {
  expect_digits(poisson_epsilon(0.01, 1, 1000, 1e-5), 2.107753, 6);
  expect_digits(poisson_epsilon(0.1, 5, 100, 1e-5), 0.834863, 6);
  expect_digits(poisson_epsilon(0.1, 2, 100, 1e-5), 2.586652, 6);
  expect_digits(poisson_epsilon(0.5, 10, 40, 1e-5), 1.332898, 6);
  expect_digits(poisson_epsilon(0.01, 4, 1e4, 1e-5), 1.035490, 6);
  expect_digits(poisson_epsilon(0.01, 1.1, 1000, 1e-5), 1.725291, 6);
  expect_digits(poisson_epsilon(0.004266666, 1.1, 14063, 1e-5), 2.597079, 6);
  expect_digits(poisson_epsilon(0.001, 0.8, 1e4, 1e-6), 1.720123, 6);
  expect_digits(poisson_epsilon(1, 10, 100, 1e-6), 5.222429, 6);
  expect_digits(poisson_epsilon(0.05, 2, 200, 1e-6), 1.951807, 6);
  expect_digits(epsilon_of(30 * gaussian_curve(10), 1e-5).epsilon, 2.396680, 6);
  expect_digits(without_replacement_epsilon(0.01, 2, 1000, 1e-5), 1.501028, 6);
  expect_digits(without_replacement_epsilon(0.01, 4, 1e4, 1e-5), 2.441430, 6);
  EXPECT_NEAR(without_replacement_epsilon(0.001, 2, 1e4, 1e-6), 0.472152, 5e-7);  // 0.4721525
  EXPECT_EQ(epsilon_of(1000 * poisson_curve(0.01, 1), 1e-5).order, 8);
}

TEST(Accountant, the_noise_multiplier_is_the_smallest_that_keeps_the_budget) {
  const auto full = [](double z) { return 30 * gaussian_curve(z); };
  expect_digits(noise_multiplier(full, 4, 1e-5).value(), 6.341363, 6);
  expect_digits(noise_multiplier([](double z) { return 100 * poisson_curve(0.1, z); }, 4, 1e-5).value(), 1.486369, 6);
  expect_digits(noise_multiplier([](double z) { return 100 * without_replacement_curve(0.1, z); }, 4, 1e-5).value(),
                3.120345, 6);
  const double z = noise_multiplier(full, 1, 1e-5).value();
  EXPECT_LE(epsilon_of(full(z), 1e-5).epsilon, 1);
  EXPECT_GT(epsilon_of(full(z * (1 - 1e-9)), 1e-5).epsilon, 1);
  expect_digits(zcdp_budget(4, 1e-5).value(), 0.37301473, 7);
  expect_digits(zcdp_budget(2.5, 0.01).value(), 0.42868087, 7);
}

TEST(Accountant, epochs_of_random_length_cost_their_exact_mixture) {
  const auto snapshots = [](double z, auto inner) {
    return 10 * (poisson_curve(0.5, z) + inner(poisson_curve(0.5 / 3, z)));
  };
  const auto second = [&](double z) { return snapshots(z, [](const RenyiCurve& c) { return 3 * c; }); };
  const auto first = [&](double z) {
    return snapshots(z, [](const RenyiCurve& c) { return geometric_curve(c, 0.75); });
  };
  expect_digits(noise_multiplier(second, 4, 1e-5).value(), 2.390915, 6);
  expect_digits(noise_multiplier(first, 4, 1e-5).value(), 2.439073, 6);
  // The sum over lengths, term by term, at one order.
  const RenyiCurve one = poisson_curve(0.1, 5);
  const std::size_t at = 6;  // order 8
  double mixture = 0;
  for (int n = 0; n < 2000; ++n) mixture += 0.25 * std::pow(0.75, n) * std::exp(7 * n * one.at[at]);
  expect_digits(geometric_curve(one, 0.75).at[at], std::log(mixture) / 7, 11);
  // Too dear a step at a high order: no finite bound there, and none is claimed.
  EXPECT_EQ(geometric_curve(gaussian_curve(0.5), 0.75).at.back(), std::numeric_limits<double>::infinity());
}

TEST(Accountant, one_gaussian_release_needs_what_the_exact_formula_says) {
  struct {
    double delta, epsilon, z;
  } const rows[] = {{1e-3, 0.5, 4.6101279507}, {1e-3, 1, 2.5746570186}, {1e-3, 2, 1.4452391609},
                    {1e-3, 4, 0.8230776852},   {1e-3, 8, 0.4800137525}, {1e-3, 10, 0.4060595580},
                    {1e-5, 0.5, 7.0318266756}, {1e-5, 1, 3.7306316348}, {1e-5, 2, 1.9938124456},
                    {1e-5, 4, 1.0811618495},   {1e-5, 8, 0.6002290722}, {1e-5, 10, 0.4998886197},
                    {1e-6, 0.5, 8.0576184807}, {1e-6, 1, 4.2246788893}, {1e-6, 2, 2.2304762712},
                    {1e-6, 4, 1.1935185872},   {1e-6, 8, 0.6529353844}, {1e-6, 10, 0.5410868318}};
  for (const auto& row : rows) {
    expect_digits(gaussian_multiplier(row.epsilon, row.delta).value(), row.z, 9);
    expect_digits(gaussian_epsilon(row.z, row.delta), row.epsilon, 8);
  }
  // 100 releases with z = 10 are one with z = 1: exact, where the Renyi bound is 7 % larger.
  expect_digits(gaussian_epsilon(1, 1e-6), 4.886554, 6);
}

TEST(Accountant, bounded_range_steps_are_cheaper_than_their_epsilons) {
  EXPECT_NEAR(bounded_range_curve(0.4).at[0], 2 * 0.02, 1e-15);
}

TEST(Accountant, refuses_budgets_that_mean_nothing) {
  const auto cost = [](double z) { return gaussian_curve(z); };
  EXPECT_EQ(noise_multiplier(cost, 0, 1e-5).error().code, "accountant.bad_epsilon");
  EXPECT_EQ(noise_multiplier(cost, -1, 1e-5).error().code, "accountant.bad_epsilon");
  EXPECT_EQ(noise_multiplier(cost, std::nan(""), 1e-5).error().code, "accountant.bad_epsilon");
  EXPECT_EQ(noise_multiplier(cost, 1, 0).error().code, "accountant.bad_delta");
  EXPECT_EQ(noise_multiplier(cost, 1, 1).error().code, "accountant.bad_delta");
  EXPECT_EQ(noise_multiplier([](double z) { return 1e12 * gaussian_curve(z); }, 1, 1e-5).error().code,
            "accountant.out_of_reach");
}

}  // namespace
}  // namespace sotto::analyzer
