// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Average gradients and means in fixed point against doubles on the same Q15 numbers.
#include "cosine_link.hpp"
#include "sotto/local/gradient.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <climits>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "local_problem.hpp"
#include "real_users.hpp"
#include "sotto/local/mean.hpp"

namespace sotto {
namespace {

using Eigen::VectorXd;

struct Model {
  std::vector<std::uint16_t> feature;
  std::vector<std::int32_t> value;
  [[nodiscard]] SparseModel sparse() const { return {feature, value}; }
  [[nodiscard]] VectorXd dense(std::uint32_t features) const {
    VectorXd v = VectorXd::Zero(features);
    for (std::size_t k = 0; k < feature.size(); ++k) v[feature[k]] += value[k] / k_q24;
    return v;
  }
};

Model random_model(std::uint32_t features, std::size_t size, double largest, std::mt19937_64& random) {
  std::uniform_real_distribution<double> value{-largest, largest};
  Model model;
  for (std::size_t k = 0; k < size; ++k) {
    model.feature.push_back(static_cast<std::uint16_t>(random() % features));
    model.value.push_back(static_cast<std::int32_t>(value(random) * k_q24));
  }
  return model;
}

using Residual = std::function<double(double u, double y)>;

VectorXd exact_gradient(const LocalProblem& problem, const VectorXd& theta, const Residual& residual, double bound,
                        double nominal_rows) {
  const Eigen::MatrixXd x = problem.x();
  const VectorXd u = x * theta, y = problem.y();
  VectorXd rho(u.size());
  for (Eigen::Index i = 0; i < u.size(); ++i) rho[i] = std::clamp(residual(u[i], y[i]), -bound, bound);
  return x.transpose() * rho / nominal_rows;
}

struct Case {
  const char* name;
  Link link;
  Residual residual;
};

std::vector<Case> cases(const analyzer::LinkTableData& table, double range) {
  const double scale = 8 * range + 1;
  return {{"identity", {}, [](double u, double y) { return u - y; }},
          {"logistic",
           {LinkKind::logistic, {}},
           [](double u, double y) { return 1 / (1 + std::exp(-u)) - (y > 0 ? 1 : 0); }},
          {"8u + cos u", table.link(),
           [scale](double u, double y) { return (8 - std::sin(u)) / scale * ((8 * u + std::cos(u)) / scale - y); }}};
}

std::vector<std::int32_t> fixed_gradient(const GradientSpec& spec, const Samples& samples, const Model& model,
                                         const std::vector<std::uint16_t>& chosen = {}) {
  std::vector<std::int32_t> out(chosen.empty() ? samples.features : chosen.size(), 99);
  const Samples used = first_rows(samples, spec.nominal_rows);
  std::vector<std::byte> work(gradient_work_bytes(samples.units, samples.mapped != nullptr, used.rows));
  gradient(spec, used, model.sparse(), chosen, work, out);
  return out;
}

TEST(Gradient, agrees_with_doubles_for_every_link) {
  std::mt19937_64 random{1};
  const analyzer::LinkTableData table = analyzer::cosine_link(4);
  for (const Case& c : cases(table, 4)) {
    double worst = 0;
    for (const std::uint32_t rows : {1u, 7u, 100u, 1024u}) {
      for (const double bound : {0.01, 0.3, 1.0, 2.0, 50.0}) {
        const LocalProblem problem = bell_problem(rows, 40, random);
        const Model model = random_model(40, 8, 1.5, random);
        GradientSpec spec{c.link, rows, static_cast<std::int32_t>(bound * k_q24)};
        const VectorXd exact = exact_gradient(problem, model.dense(40), c.residual, spec.bound_q24 / k_q24, rows);
        const double error = (from_q24(fixed_gradient(spec, problem.samples(), model)) - exact).cwiseAbs().maxCoeff();
        worst = std::max(worst, error);
      }
    }
    EXPECT_LT(worst, std::ldexp(1, -12)) << c.name;
    RecordProperty(c.name, std::to_string(std::log2(worst)));
  }
}

TEST(Gradient, of_identity_is_within_its_stated_bound) {
  std::mt19937_64 random{2};
  for (int repeat = 0; repeat < 400; ++repeat) {
    const auto rows = static_cast<std::uint32_t>(random() % 300),
               features = static_cast<std::uint32_t>(1 + random() % 70);
    const LocalProblem problem = wild_problem(rows, features, random);
    const Model model = random_model(features, random() % 10, 3, random);
    const int log2_bound = static_cast<int>(random() % 10) - 4;
    const GradientSpec spec{{},
                            static_cast<std::uint32_t>(std::max(1u, rows) + random() % 50),
                            static_cast<std::int32_t>(std::ldexp(k_q24, std::min(log2_bound, 6)))};
    const VectorXd exact = exact_gradient(
        problem, model.dense(features), [](double u, double y) { return u - y; }, spec.bound_q24 / k_q24,
        spec.nominal_rows);
    const VectorXd got = from_q24(fixed_gradient(spec, problem.samples(), model));
    EXPECT_LE((got - exact).cwiseAbs().maxCoeff(), std::ldexp(spec.bound_q24 / k_q24, -18) + std::ldexp(1, -23));
  }
}

TEST(Gradient, is_the_same_through_a_hook_and_on_chosen_features) {
  std::mt19937_64 random{3};
  const LocalProblem problem = bell_problem(50, 77, random);
  const Model model = random_model(77, 5, 1, random);
  const GradientSpec spec{{}, 50, 1 << 24};
  const std::vector<std::int32_t> all = fixed_gradient(spec, problem.samples(), model);
  EXPECT_EQ(fixed_gradient(spec, problem.hooked(), model), all);
  const std::vector<std::uint16_t> chosen = {76, 0, 33, 33, 12};
  const std::vector<std::int32_t> some = fixed_gradient(spec, problem.samples(), model, chosen);
  for (std::size_t j = 0; j < chosen.size(); ++j) EXPECT_EQ(some[j], all[chosen[j]]);
  EXPECT_EQ(fixed_gradient(spec, problem.hooked(), model, chosen), some);
}

TEST(Gradient, of_one_row_is_that_row_times_its_residual) {
  std::mt19937_64 random{4};
  const LocalProblem problem = bell_problem(20, 30, random);
  const Model model = random_model(30, 4, 1, random);
  const GradientSpec spec{{}, 1, 1 << 23};
  for (std::uint32_t row = 0; row < 22; ++row) {
    std::vector<std::int32_t> out(30, 5);
    Samples one = problem.hooked();
    one.first_row = row;
    one.rows = row < 20 ? 1 : 0;
    std::vector<std::byte> work(gradient_work_bytes(RowUnits::stated, false, 1));
    gradient(spec, one, model.sparse(), {}, work, out);
    VectorXd exact = VectorXd::Zero(30);
    if (row < 20) {
      const VectorXd x = problem.x().row(row).transpose();
      exact = std::clamp(x.dot(model.dense(30)) - problem.y()[row], -0.5, 0.5) * x;
    }
    EXPECT_LT((from_q24(out) - exact).cwiseAbs().maxCoeff(), std::ldexp(1, -22)) << row;
  }
}

TEST(Gradient, adversarial_models_and_rows_stay_in_the_ball) {
  std::mt19937_64 random{5};
  const std::int32_t ends[] = {INT32_MIN, INT32_MAX, 0, 64 << 24};
  for (int repeat = 0; repeat < 300; ++repeat) {
    const auto features = static_cast<std::uint32_t>(1 + random() % 40),
               rows = static_cast<std::uint32_t>(random() % 1100);
    const LocalProblem problem = wild_problem(rows, features, random);
    Model model = random_model(features, random() % 40, 1, random);
    for (auto& v : model.value) v = ends[random() % 4];
    const GradientSpec spec{{}, static_cast<std::uint32_t>(1 + random() % 1024), 64 << 24};
    for (const std::int32_t g : fixed_gradient(spec, problem.samples(), model)) {
      EXPECT_LE(std::abs(g / k_q24), 64 * (1 + std::ldexp(1, -18)));
    }
  }
}

TEST(Gradient, agrees_with_doubles_on_real_users) {
  for (const std::string name : {"wine_quality", "beijing_air", "wisdm_activity", "uji_indoorloc"}) {
    const auto users = read_real_users(name);
    if (users.empty()) GTEST_SKIP() << name << " is not in " << SOTTO_DATA_DIR;
    const Standardiser standardiser{users};
    const bool classes = name == "wisdm_activity";
    const analyzer::LinkTableData table = analyzer::cosine_link(4);
    const Case c = cases(table, 4)[classes ? 1 : 0];
    std::mt19937_64 random{6};
    double worst = 0;
    int seen = 0;
    for (const auto& [user, rows] : users) {
      if (++seen > 60) break;
      const LocalProblem problem = standardiser.problem(rows);
      const Model model = random_model(problem.features(), 10, 0.5, random);
      const GradientSpec spec{c.link, std::max<std::uint32_t>(100, problem.rows()), 2 << 24};
      const VectorXd exact = exact_gradient(problem, model.dense(problem.features()), c.residual, 2, spec.nominal_rows);
      worst = std::max(worst, (from_q24(fixed_gradient(spec, problem.samples(), model)) - exact).cwiseAbs().maxCoeff());
    }
    EXPECT_LT(worst, std::ldexp(1, -12)) << name;
    RecordProperty(name, std::to_string(std::log2(worst)));
  }
}

TEST(Means, are_exact_to_the_last_bit) {
  std::mt19937_64 random{7};
  for (int repeat = 0; repeat < 300; ++repeat) {
    const auto features = static_cast<std::uint32_t>(1 + random() % 70),
               rows = static_cast<std::uint32_t>(random() % 1100);
    const auto nominal = static_cast<std::uint32_t>(1 + random() % 1024);
    const LocalProblem problem = wild_problem(rows, features, random);
    std::vector<std::int32_t> out(features, 9), hooked(features, 8);
    std::vector<Q15> column(rows);
    column_means(nominal, first_rows(problem.samples(), nominal), {}, {}, nullptr, out);
    column_means(nominal, first_rows(problem.hooked(), nominal), {}, {}, column.data(), hooked);
    EXPECT_EQ(out, hooked);
    const std::uint32_t used = std::min(rows, nominal);
    const VectorXd exact = problem.x().topRows(used).colwise().sum().transpose() / nominal;
    EXPECT_LE((from_q24(out) - exact).cwiseAbs().maxCoeff(), 0.51 / k_q24);
  }
}

}  // namespace
}  // namespace sotto
