// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "sotto/analyzer/accountant/calibrate.hpp"
#include "sotto/analyzer/audit/confidence.hpp"
#include "sotto/analyzer/central/prepare.hpp"
#include "sotto/analyzer/central/validate.hpp"
#include "src/central/methods.hpp"

namespace sotto::analyzer::central {
namespace {

/// Synthetic rows with labels in place of numbers.
Problem labels(std::size_t rows, std::size_t columns, std::size_t nonzeros, std::uint64_t seed) {
  SyntheticData data = synthetic_rows(rows, columns, nonzeros, 0.1, seed);
  Problem p = std::move(data.problem);
  p.loss = Loss::logistic;
  for (float& y : p.y) y = y > 0 ? 1.0f : 0.0f;
  p.bounds.is_independent = false;
  return p;
}

FitSettings settings_of(Method method, std::uint32_t k, std::optional<Budget> budget) {
  FitSettings s;
  s.method = method;
  s.nonzeros = k;
  s.budget = budget;
  s.is_unproven_allowed = true;
  return s;
}

TEST(CentralFit, the_hard_threshold_keeps_the_largest_and_of_equal_ones_the_first) {
  const Weights w = hard_threshold({1, -3, 2, -2, 0, 2}, 3);
  EXPECT_EQ(w.at, (std::vector<double>{0, -3, 2, -2, 0, 0}));
  EXPECT_EQ(w.support, (std::vector<std::uint32_t>{1, 2, 3}));
  EXPECT_EQ(hard_threshold({0, 0, 0}, 2).support, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(hard_threshold({5, 4}, 2).at, (std::vector<double>{5, 4}));
}

TEST(CentralFit, every_method_learns_within_its_budget) {
  const Problem p = labels(4000, 20, 4, 1000);
  const Sample all = all_rows(p);
  for (const Method method : all_methods()) {
    for (const Adjacency adjacency : {Adjacency::add_remove, Adjacency::replace_one}) {
      SCOPED_TRACE(method_name(method));
      FitSettings s = settings_of(method, 4, Budget{4, 1e-5});
      s.adjacency = adjacency;
      Coins coins(1001);
      const auto made = fit(all, s, coins);
      ASSERT_TRUE(made.ok()) << made.error().message();
      const FitResult& r = made.value();
      EXPECT_EQ(r.is_proven, method != Method::kt_paper);
      if (r.is_proven) {
        EXPECT_LE(r.epsilon, 4);
        EXPECT_GT(r.epsilon, 3.99);  // and none of it is wasted
      }
      EXPECT_LE(r.w.support.size(), method == Method::frank_wolfe ? r.steps : 4u);
      const auto nonzero = std::count_if(r.w.at.begin(), r.w.at.end(), [](double v) { return v != 0; });
      EXPECT_LE(static_cast<std::size_t>(nonzero), r.w.support.size());
      // A coin has ln 2 = 0.693.
      EXPECT_LT(measure(p, all.rows, r.w).loss, method == Method::kt_paper ? 0.69 : 0.45);
      EXPECT_GT(r.passes, 0.9);
    }
  }
}

TEST(CentralFit, without_a_budget_every_method_is_its_limit) {
  const SyntheticData data = synthetic_rows(400, 60, 5, 0.1, 1002);
  const Sample all = all_rows(data.problem);
  for (const Method method : all_methods()) {
    SCOPED_TRACE(method_name(method));
    Coins coins(1003);
    const auto made = fit(all, settings_of(method, 5, {}), coins);
    ASSERT_TRUE(made.ok()) << made.error().message();
    EXPECT_LT(relative_error(made.value().w, data.truth), method == Method::frank_wolfe ? 0.35 : 0.25);
    EXPECT_TRUE(std::isinf(made.value().epsilon));
  }
}

TEST(CentralFit, what_is_said_to_be_spent_is_what_the_accountant_says) {
  const Problem p = labels(1000, 10, 3, 1004);
  const Sample all = all_rows(p);
  Coins coins(1005);
  const FitResult sgd = fit(all, settings_of(Method::dp_sgd_ht, 3, Budget{2, 1e-5}), coins).value();
  const double q = std::ldexp(std::ceil(std::ldexp(0.1, 32)), -32);
  EXPECT_NEAR(sgd.epsilon, epsilon_of(sgd.steps * poisson_curve(q, sgd.z), 1e-5).epsilon, 1e-9);
  const FitResult iht = fit(all, settings_of(Method::dp_iht, 3, Budget{2, 1e-5}), coins).value();
  EXPECT_NEAR(iht.epsilon, gaussian_epsilon(iht.z / std::sqrt(iht.steps), 1e-5), 1e-6);
  EXPECT_LT(iht.epsilon, epsilon_of(iht.steps * gaussian_curve(iht.z), 1e-5).epsilon);
  const FitResult scsg = fit(all, settings_of(Method::dp_scsg_ht_1, 3, Budget{2, 1e-5}), coins).value();
  EXPECT_LE(scsg.epsilon, 2);
}

TEST(CentralFit, sparse_rows_give_the_model_of_the_same_dense_rows) {
  Coins coins(1006);
  std::vector<float> dense, values, y;
  std::vector<std::uint64_t> first{0};
  std::vector<std::uint32_t> column;
  for (int row = 0; row < 300; ++row) {
    for (std::uint32_t j = 0; j < 40; ++j) {
      const float v = coins.below(8) == 0 ? static_cast<float>(coins.below(1000)) / 500 - 1 : 0;
      dense.push_back(v);
      if (v == 0) continue;
      values.push_back(v);
      column.push_back(j);
    }
    first.push_back(values.size());
    y.push_back(static_cast<float>(coins.below(2)));
  }
  Problem a, b;
  a.x = Rows::dense(dense, 40);
  b.x = Rows::sparse(first, column, values, 40);
  for (Problem* p : {&a, &b}) {
    p->y = y;
    p->norms = p->x.norms();
    p->bounds = {.row = 1, .value = 0.2};
  }
  for (const Method method :
       {Method::dp_iht, Method::dp_scsg_ht, Method::peeling, Method::select_fit, Method::frank_wolfe}) {
    Coins left(7), right(7);
    const auto from_dense = fit(all_rows(a), settings_of(method, 6, Budget{4, 1e-5}), left);
    const auto from_sparse = fit(all_rows(b), settings_of(method, 6, Budget{4, 1e-5}), right);
    for (std::size_t j = 0; j < 40; ++j) {
      EXPECT_NEAR(from_dense.value().w.at[j], from_sparse.value().w.at[j], 1e-6) << method_name(method);
    }
  }
}

TEST(CentralFit, impossible_wishes_are_refused_by_name) {
  const Problem p = labels(50, 8, 2, 1007);
  const Sample all = all_rows(p);
  const auto code = [&](FitSettings s) {
    Coins coins(1);
    const auto made = fit(all, s, coins);
    return made.ok() ? std::string("accepted") : std::string(made.error().code);
  };
  EXPECT_EQ(code(settings_of(Method::dp_iht, 0, Budget{1, 1e-5})), "fit.bad_nonzeros");
  EXPECT_EQ(code(settings_of(Method::dp_iht, 9, Budget{1, 1e-5})), "fit.bad_nonzeros");
  EXPECT_EQ(code(settings_of(Method::dp_iht, 8, Budget{1, 1e-5})), "accepted");
  EXPECT_EQ(code(settings_of(Method::dp_iht, 2, Budget{1, 0})), "accountant.bad_delta");
  EXPECT_EQ(code(settings_of(Method::dp_iht, 2, Budget{0, 1e-5})), "accountant.bad_epsilon");
  EXPECT_EQ(code(settings_of(Method::dp_iht, 2, Budget{-1, 1e-5})), "accountant.bad_epsilon");
  EXPECT_EQ(code(settings_of(Method::dp_iht, 2, Budget{std::nan(""), 1e-5})), "accountant.bad_epsilon");
  EXPECT_EQ(code(settings_of(Method::dp_sgd_ht, 2, Budget{1, 1e-40})), "fit.overspent");
  FitSettings printed = settings_of(Method::kt_paper, 2, Budget{1, 1e-5});
  printed.is_unproven_allowed = false;
  EXPECT_EQ(code(printed), "fit.unproven");
  FitSettings still = settings_of(Method::dp_iht, 2, Budget{1, 1e-5});
  still.steps = 0;
  EXPECT_EQ(code(still), "fit.bad_steps");
  EXPECT_EQ(cross_validate(p, settings_of(Method::dp_iht, 2, {}), 1, 1).error().code, "fit.bad_folds");
  EXPECT_EQ(cross_validate(p, settings_of(Method::dp_iht, 2, {}), 51, 1).error().code, "fit.bad_folds");
}

TEST(CentralFit, bounds_that_doubles_cannot_calculate_with_are_refused) {
  const auto code = [](Method method, auto change) {
    Problem p = synthetic_rows(50, 8, 2, 0.1, 1009).problem;
    FitSettings s = settings_of(method, 2, Budget{0.1, 1e-5});
    change(p, s);
    Coins coins(1);
    const auto made = fit(all_rows(p), s, coins);
    if (made.ok()) {
      EXPECT_TRUE(std::ranges::all_of(made.value().w.at, [](double v) { return std::isfinite(v); }));
    }
    return made.ok() ? std::string("accepted") : std::string(made.error().code);
  };
  for (const Method method : all_methods()) {
    SCOPED_TRACE(method_name(method));
    for (const double bad : {0.0, -1.0, 9e-31, 1e-200, 1.1e30, 1e200, double{INFINITY}, std::nan("")}) {
      EXPECT_EQ(code(method, [&](Problem& p, FitSettings&) { p.bounds.row = bad; }), "fit.bad_bound");
      EXPECT_EQ(code(method, [&](Problem& p, FitSettings&) { p.bounds.value = bad; }), "fit.bad_bound");
      EXPECT_EQ(code(method, [&](Problem& p, FitSettings&) { p.bounds.target = bad; }), "fit.bad_bound");
      EXPECT_EQ(code(method, [&](Problem&, FitSettings& s) { s.step_size = bad; }), "fit.bad_bound");
      EXPECT_EQ(code(method, [&](Problem&, FitSettings& s) { s.l1_radius = bad; }), "fit.bad_bound");
    }
    for (const double bad : {-1.0, 1.1e30, double{INFINITY}, std::nan("")})
      EXPECT_EQ(code(method, [&](Problem& p, FitSettings&) { p.l2 = bad; }), "fit.bad_bound");
  }
  // What is in range is calculated with, in all combinations.
  for (const Method method : {Method::dp_iht, Method::peeling, Method::select_fit, Method::frank_wolfe}) {
    SCOPED_TRACE(method_name(method));
    for (int bits = 0; bits < 16; ++bits) {
      const auto end = [bits](int at) { return (bits >> at & 1) != 0 ? 1e30 : 1e-30; };
      EXPECT_EQ(code(method,
                     [&](Problem& p, FitSettings& s) {
                       p.bounds.row = end(0), p.bounds.value = end(1), p.bounds.target = end(2), s.step_size = end(3);
                     }),
                "accepted")
          << bits;
    }
  }
}

TEST(CentralFit, coefficients_that_are_no_numbers_are_not_given_out) {
  Problem p = labels(50, 8, 2, 1011);
  p.l2 = 1e30;
  for (const Method method :
       {Method::dp_iht, Method::dp_sgd_ht, Method::dp_scsg_ht, Method::select_fit, Method::kt_teacher}) {
    FitSettings s = settings_of(method, 2, Budget{1, 1e-5});
    s.step_size = 1e30;
    Coins coins(1);
    const auto made = fit(all_rows(p), s, coins);
    ASSERT_FALSE(made.ok()) << method_name(method);
    EXPECT_EQ(made.error().code, "fit.diverged") << method_name(method);
  }
}

TEST(CentralFit, folds_hold_every_row_out_once_and_repeat_with_their_seed) {
  const Problem p = labels(500, 10, 3, 1008);
  const FitSettings s = settings_of(Method::select_fit, 3, Budget{8, 1e-5});
  const Validation first = cross_validate(p, s, 5, 3).value(), again = cross_validate(p, s, 5, 3).value();
  ASSERT_EQ(first.folds.size(), 5u);
  for (std::size_t f = 0; f < 5; ++f) EXPECT_EQ(first.folds[f].loss, again.folds[f].loss);
  EXPECT_FALSE(first.curve.empty());
  EXPECT_EQ(cross_validate(p, s, 5, 3, [](double) { return false; }).error().code, "fit.stopped");
}

TEST(CentralFit, the_choice_of_a_method_looks_at_public_numbers_only) {
  PublicBounds bounds;
  EXPECT_EQ(choose_method(1200, 1000, 4, bounds).method, Method::select_fit);
  EXPECT_EQ(choose_method(12000, 52, 4, bounds).method, Method::dp_iht);
  bounds.is_independent = true;
  EXPECT_EQ(choose_method(4000, 5000, 2.5, bounds).method, Method::peeling);
}

/// A data set of rows without features, and one with a canary beside them whose gradient is as long as the clip: how much likelier is
/// a large coefficient with it? The bound of epsilon holds with probability 1 - 1e-3.
double canary_bound(double z, double share, std::uint32_t steps, double delta) {
  constexpr std::uint64_t k_runs = 200000;
  Problem p;
  p.x = Rows::dense(std::vector<float>(11, 0.0f), 1);
  p.x.values(10)[0] = 1;
  p.y.assign(11, 1.0f);
  p.norms = p.x.norms();
  Sample with = all_rows(p), without = with;
  without.rows.pop_back();
  with.count = without.count = 10;  // public, the same for both
  DescentPlan plan;
  plan.steps = steps;
  plan.share = share;
  plan.z = z;
  plan.step_size = 1e-6;  // so short that the canary's residual stays -1/2 and every step pushes as hard as the first
  plan.nonzeros = 1;
  // 3.3 standard deviations of the noise: an event that is rare without the canary, and fixed before any run.
  const double eta = plan.step_size / p.curvature();
  const double threshold = 3.3 * z * std::sqrt(steps) * eta * p.clip() / (share * 10);
  const FitSettings settings = settings_of(Method::dp_sgd_ht, 1, Budget{1, delta});
  Coins coins(1010);
  audit::EventCounts counts{0, 0, k_runs};
  for (std::uint64_t run = 0; run < k_runs; ++run) {
    PrivacyMeter meter;
    counts.first += descend(with, plan, {with, settings, coins, meter}, 1, {}).w.at[0] > threshold;
    counts.second += descend(without, plan, {without, settings, coins, meter}, 1, {}).w.at[0] > threshold;
  }
  return audit::epsilon_lower_bound(counts, 1e-3, delta);
}

TEST(CentralFit, an_audit_with_canaries_catches_half_of_the_noise) {
  constexpr double k_epsilon = 1, k_delta = 1e-5, k_share = 0.5;
  constexpr std::uint32_t k_steps = 3;
  const double z =
      noise_multiplier([&](double at) { return k_steps * poisson_curve(k_share, at); }, k_epsilon, k_delta).value();
  const double honest = canary_bound(z, k_share, k_steps, k_delta);
  EXPECT_LE(honest, k_epsilon);
  EXPECT_GT(honest, 0);
  EXPECT_GT(canary_bound(z / 2, k_share, k_steps, k_delta), k_epsilon);
}

}  // namespace
}  // namespace sotto::analyzer::central
