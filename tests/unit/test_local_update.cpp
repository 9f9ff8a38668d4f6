// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Federated updates in fixed point against the same steps in doubles.
#include "sotto/local/update.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <climits>
#include <numeric>
#include <random>
#include <vector>

#include "local_problem.hpp"

namespace sotto {
namespace {

using Eigen::VectorXd;
__extension__ using Wide = unsigned __int128;

VectorXd keep_largest(VectorXd v, std::uint32_t keep) {
  std::vector<Eigen::Index> order(static_cast<std::size_t>(v.size()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return std::abs(v[a]) > std::abs(v[b]); });
  for (std::size_t k = keep; k < order.size(); ++k) v[order[k]] = 0;
  return v;
}

VectorXd exact_update(const LocalProblem& problem, VectorXd theta, const UpdateSpec& spec) {
  const VectorXd start = theta;
  const double bound = spec.gradient.bound_q24 / k_q24;
  for (std::uint32_t k = 0; k < spec.steps; ++k) {
    const VectorXd rho = (problem.x() * theta - problem.y()).cwiseMin(bound).cwiseMax(-bound);
    theta -= spec.step_q24 / k_q24 * (problem.x().transpose() * rho / spec.gradient.nominal_rows);
    theta = keep_largest(theta, spec.keep);
  }
  VectorXd difference = theta - start;
  const double radius = spec.radius_q24 / k_q24;
  if (difference.norm() > radius) difference *= radius / difference.norm();
  return difference;
}

std::vector<std::int32_t> fixed_update(const LocalProblem& problem, const SparseModel& start, const UpdateSpec& spec) {
  std::vector<std::byte> work(update_work_bytes(spec.keep) +
                              gradient_work_bytes(RowUnits::stated, true, spec.gradient.nominal_rows));
  std::vector<std::int32_t> out(problem.features(), 3);
  update(spec, first_rows(problem.samples(), spec.gradient.nominal_rows), start, work, out);
  return out;
}

TEST(Update, takes_the_same_steps_as_doubles) {
  std::mt19937_64 random{1};
  for (int repeat = 0; repeat < 60; ++repeat) {
    const LocalProblem problem = bell_problem(150, 40, random);
    const std::vector<std::uint16_t> feature = {0, 5, 17, 39};
    const std::vector<std::int32_t> value = {1 << 22, -(1 << 21), 1 << 20, 3 << 19};
    VectorXd theta = VectorXd::Zero(40);
    for (std::size_t k = 0; k < 4; ++k) theta[feature[k]] = value[k] / k_q24;
    UpdateSpec spec{{{}, 150, 2 << 24}, static_cast<std::uint32_t>(1 + random() % 10), 8, 8 << 24, 4u << 24};
    if (repeat % 3 == 0) spec.radius_q24 = 1u << 21;
    const VectorXd got = from_q24(fixed_update(problem, {feature, value}, spec));
    // A tie within rounding could select another feature; with these seeds none occurs.
    EXPECT_LT((got - exact_update(problem, theta, spec)).cwiseAbs().maxCoeff(), std::ldexp(1, -13)) << repeat;
  }
}

TEST(Update, nears_the_restricted_least_squares_fit) {
  std::mt19937_64 random{2};
  const LocalProblem problem = bell_problem(200, 64, random);
  const UpdateSpec spec{{{}, 200, 4 << 24}, 60, 64, 6 << 24, 100u << 24};
  const VectorXd got = from_q24(fixed_update(problem, {}, spec));
  const VectorXd exact = problem.x().colPivHouseholderQr().solve(problem.y());
  EXPECT_LT((problem.x() * (got - exact)).norm(), 0.2 * (problem.x() * exact).norm());
}

TEST(Update, stays_in_the_ball_whatever_the_data) {
  std::mt19937_64 random{3};
  const std::int32_t ends[] = {INT32_MIN, INT32_MAX, 64 << 24, 1, -5};
  for (int repeat = 0; repeat < 200; ++repeat) {
    const auto features = static_cast<std::uint32_t>(1 + random() % 50);
    const LocalProblem problem = wild_problem(static_cast<std::uint32_t>(random() % 100), features, random);
    std::vector<std::uint16_t> feature(random() % 20);
    std::vector<std::int32_t> value(feature.size());
    for (auto& f : feature) f = static_cast<std::uint16_t>(random() % features);
    for (auto& v : value) v = ends[random() % 5];
    const UpdateSpec spec{{{}, static_cast<std::uint32_t>(1 + random() % 1024), 64 << 24},
                          static_cast<std::uint32_t>(1 + random() % 5),
                          static_cast<std::uint32_t>(1 + random() % features),
                          64 << 24,
                          static_cast<std::uint32_t>(random() >> 33)};
    Wide square = 0;
    for (const std::int32_t d : fixed_update(problem, {feature, value}, spec)) {
      square += static_cast<Wide>(std::int64_t{d} * d);
    }
    EXPECT_TRUE(square <= static_cast<Wide>(spec.radius_q24) * spec.radius_q24);
  }
}

}  // namespace
}  // namespace sotto
