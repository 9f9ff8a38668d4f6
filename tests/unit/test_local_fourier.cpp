// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Random Fourier features against doubles: the cosine, the features, the law of the weights and what it does to the kernel.
#include "sotto/local/fourier.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <complex>
#include <map>
#include <numbers>
#include <random>
#include <vector>

#include "local_problem.hpp"
#include "sotto/local/cosine.hpp"

namespace sotto {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double k_turn = 2 * std::numbers::pi;
const std::uint8_t k_seed[32] = {9, 2, 6};

VectorXd fixed_features(const FourierSpec& spec, const Samples& samples, std::uint32_t row, std::size_t p) {
  std::vector<std::int32_t> z(p, 3);
  fourier_features(spec, samples, row, z);
  return from_q24(z);
}

VectorXd exact_features(const FourierSpec& spec, const LocalProblem& problem, std::uint32_t row, std::size_t p) {
  const FourierScale scale = fourier_scale(spec.inverse_bandwidth_q16);
  PublicCoins coins{spec.label, CoinPurpose::shared_fourier};
  std::vector<double> turns(p);
  for (double& t : turns) t = std::ldexp(coins.word(), -32);
  for (std::uint32_t i = 0; i < problem.features(); ++i) {
    for (std::size_t j = 0; j < p; j += 2) {
      const std::uint32_t word = coins.word();
      for (std::size_t k = 0; k < 2; ++k) {
        turns[j + k] += std::ldexp(1.0 * problem.at(row, i) * fourier_weight(scale, word >> (16 * k)), -32);
        turns[j + k] -= std::floor(turns[j + k]);
      }
    }
  }
  VectorXd z(static_cast<Index>(p));
  for (std::size_t j = 0; j < p; ++j) {
    z[static_cast<Index>(j)] = std::sqrt(2.0 / static_cast<double>(p)) * std::cos(k_turn * turns[j]);
  }
  return z;
}

// Every 251st angle of a whole turn: 17 million of them, a prime step so that all low bits occur.
TEST(Cosine, is_within_its_bound_all_around) {
  double worst = 0;
  for (std::uint64_t t = 0; t < std::uint64_t{1} << 32; t += 251) {
    const double exact = std::cos(std::ldexp(k_turn * static_cast<double>(t), -32));
    worst = std::max(worst, std::abs(cosine_q24(static_cast<std::uint32_t>(t)) / k_q24 - exact));
  }
  EXPECT_LT(worst, std::ldexp(1, -20));
}

TEST(Cosine, never_rises_on_the_way_from_zero_to_half_a_turn) {
  std::int32_t before = cosine_q24(0);
  EXPECT_LE(before, 1 << 24);
  for (std::uint32_t t = 0; t < 1u << 31; t += 997) {
    const std::int32_t now = cosine_q24(t);
    ASSERT_LE(now, before + 1) << t;
    before = now;
  }
}

TEST(Fourier, features_and_inner_products_agree_with_doubles) {
  std::mt19937_64 random{1};
  for (int repeat = 0; repeat < 150; ++repeat) {
    const std::size_t p = 8 * (1 + random() % 32);
    const auto features = static_cast<std::uint32_t>(1 + random() % 120);
    const LocalProblem problem =
        repeat % 2 == 0 ? bell_problem(2, features, random) : wild_problem(2, features, random);
    const auto inverse =
        static_cast<std::uint32_t>(std::exp2(10 + 12 * std::ldexp(static_cast<double>(random()), -64)));
    const FourierSpec spec{{k_seed, 0, static_cast<std::uint16_t>(repeat)}, inverse};
    const VectorXd z0 = fixed_features(spec, problem.samples(), 0, p),
                   z1 = fixed_features(spec, problem.hooked(), 1, p);
    const VectorXd e0 = exact_features(spec, problem, 0, p), e1 = exact_features(spec, problem, 1, p);
    EXPECT_LT((z0 - e0).cwiseAbs().maxCoeff(), std::ldexp(1, -20));
    EXPECT_LT(std::abs(z0.dot(z1) - e0.dot(e1)), std::ldexp(1, -17));
    EXPECT_LE(z0.norm(), k_fourier_radius_q24 / k_q24);
  }
}

/// The law of a weight and its characteristic function at a difference of one coordinate.
class WeightLaw {
 public:
  explicit WeightLaw(std::uint32_t inverse_bandwidth_q16) {
    const FourierScale scale = fourier_scale(inverse_bandwidth_q16);
    for (std::uint32_t c = 0; c < 65536; ++c) odds_[fourier_weight(scale, c)] += 1 / 65536.0;
  }
  [[nodiscard]] std::complex<double> at(double difference_q15) const {
    std::complex<double> sum = 0;
    for (const auto& [weight, odds] : odds_)
      sum += odds * std::polar(1.0, std::ldexp(k_turn * weight * difference_q15, -32));
    return sum;
  }
  [[nodiscard]] double moment(int k) const {
    double sum = 0;
    for (const auto& [weight, odds] : odds_) sum += odds * std::pow(weight, k);
    return sum;
  }

 private:
  std::map<std::int32_t, double> odds_;
};

TEST(Fourier, weights_are_gaussian_to_the_fourth_moment) {
  for (const std::uint32_t inverse : {1u << 14, 1u << 16, 3u << 17, 1u << 22}) {
    const WeightLaw law{inverse};
    const double sigma = std::ldexp(inverse / k_turn, 1);  // 2^17 / (2 pi h)
    EXPECT_NEAR(law.moment(1) / sigma, 0, 1e-4) << inverse;
    EXPECT_NEAR(law.moment(2) / (sigma * sigma), 1, 2e-4) << inverse;
    EXPECT_NEAR(law.moment(4) / std::pow(law.moment(2), 2), 3, 2e-3) << inverse;
  }
}

// E<z, z'> is a product of characteristic functions phi(t_i), t_i = (x_i - x'_i)/h; the kernel is the product of psi(t_i) =
// exp(-t_i^2/2). With d = sup |phi - psi| and, below T = 2.5, |log phi + t^2/2| <= a t^2, coordinates below T are off by at most
// sup_s e^(-s/2)(e^(a s) - 1) together, and each further one adds at most d and multiplies by psi(T): in all, for any number of
// coordinates, at most that supremum + d/(1 - psi(T)).
struct KernelError {
  double one;  ///< d
  double any;  ///< the bound for any number of features
};
KernelError kernel_error(std::uint32_t inverse_bandwidth_q16, double t_most) {
  const WeightLaw law{inverse_bandwidth_q16};
  const double h_q15 = 32768 * 65536.0 / inverse_bandwidth_q16, limit = 2.5;
  double d = 0, a = 0;
  const auto look = [&](double t) {
    const std::complex<double> phi = law.at(t * h_q15);
    d = std::max(d, std::abs(phi - std::exp(-t * t / 2)));
    if (t <= limit) a = std::max(a, std::abs(std::log(phi) + t * t / 2) / (t * t));
  };
  const double end = std::min(t_most, 65535 / h_q15);  // no two numbers of Q15 differ more
  const double step = std::min(0.05, end / 20);
  for (double t = step; t <= std::min(end, 8.0); t += step) look(t);
  for (double t = 8; t <= end; t += 0.31) look(t);
  double small = 0;
  for (double s = 0.01; s < 40; s += 0.01) small = std::max(small, std::exp(-s / 2) * (std::exp(a * s) - 1));
  return {d, small + d / (1 - std::exp(-limit * limit / 2))};
}

TEST(Fourier, the_kernel_is_within_its_bound_for_any_number_of_features) {
  for (const std::uint32_t inverse : {1u << 10, 1u << 14, 1u << 16, 5u << 16, 1u << 19, 1u << 22}) {
    const KernelError near = kernel_error(inverse, 8), anywhere = kernel_error(inverse, 1e9);
    EXPECT_LT(near.one, std::ldexp(1, -11)) << inverse;
    EXPECT_LT(near.any, std::ldexp(1, -10)) << inverse;
    EXPECT_LT(anywhere.any, std::ldexp(1, -8)) << inverse;
  }
}

TEST(Fourier, inner_products_average_to_the_kernel) {
  std::mt19937_64 random{5};
  constexpr std::uint32_t k_rounds = 400;
  constexpr std::size_t k_p = 256;
  for (const std::uint32_t features : {1u, 3u, 40u}) {
    const LocalProblem problem = bell_problem(2, features, random);
    const FourierSpec base{{k_seed, 0, 0}, features == 40 ? 1u << 15 : 1u << 17};
    const double h = 65536.0 / base.inverse_bandwidth_q16;
    double sum = 0;
    for (std::uint32_t round = 0; round < k_rounds; ++round) {
      FourierSpec spec = base;
      spec.label.round = static_cast<std::uint16_t>(round);
      sum += fixed_features(spec, problem.samples(), 0, k_p).dot(fixed_features(spec, problem.samples(), 1, k_p));
    }
    const double kernel = std::exp(-(problem.x().row(0) - problem.x().row(1)).squaredNorm() / (2 * h * h));
    // One term 2 cos cos' has a variance of at most 2; five standard errors, alpha below 1e-6, and the law's own error.
    EXPECT_NEAR(sum / k_rounds, kernel, 5 * std::sqrt(2.0 / (k_p * k_rounds)) + std::ldexp(1, -11)) << features;
  }
}

TEST(Fourier, the_longest_rows_of_extremes_are_answered) {
  const Samples worst{
      1, k_features_max, nullptr, 0, nullptr, [](void*, std::uint32_t, std::uint32_t, std::uint32_t count, Q15* out) {
        std::fill_n(out, count, Q15{-32768});
        return true;
      }};
  const FourierSpec spec{{k_seed, 0, 1}, k_inverse_bandwidth_q16_max};
  EXPECT_LE(fixed_features(spec, worst, 0, 8).norm(), k_fourier_radius_q24 / k_q24);
}

}  // namespace
}  // namespace sotto
