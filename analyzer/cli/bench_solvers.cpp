// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "bench.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <cmath>
#include <functional>
#include <random>
#include <string_view>
#include <vector>

#include "exit.hpp"
#include "say.hpp"
#include "sotto/analyzer/solve/basis_pursuit.hpp"
#include "sotto/analyzer/solve/geometric_median.hpp"
#include "sotto/analyzer/solve/l1_ball.hpp"
#include "sotto/analyzer/solve/projected_gradient.hpp"
#include "stopwatch.hpp"
#include "talk.hpp"

// `sotto bench solvers`: speed and accuracy of the analyzer's solvers, compared with simple methods.
namespace sotto::cli {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd bells(Eigen::Index rows, Eigen::Index columns, std::mt19937_64& random) {
  std::normal_distribution<double> bell;
  MatrixXd m(rows, columns);
  for (Eigen::Index j = 0; j < columns; ++j) {
    for (Eigen::Index i = 0; i < rows; ++i) m(i, j) = bell(random);
  }
  return m;
}

struct SolverRow {
  std::string_view name, what;
  double objective, reference;  ///< the objective that each solver reaches; lower is better
  double rate, reference_rate;  ///< problems per second
  [[nodiscard]] double ratio() const { return rate / reference_rate; }
};

/// The threshold of the l1 projection by bisection: sixty passes without sorting.
VectorXd l1_by_bisection(const VectorXd& v, double radius) {
  double low = 0, high = v.cwiseAbs().maxCoeff();
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    ((v.array().abs() - middle).cwiseMax(0).sum() > radius ? low : high) = middle;
  }
  return v.array().sign() * (v.array().abs() - high).cwiseMax(0);
}

SolverRow bench_projection(double seconds, std::mt19937_64& random) {
  const VectorXd v = bells(1000, 1, random);
  const auto mine = [&] { return analyzer::project_l1_ball(v, 10); };
  const auto plain = [&] { return l1_by_bisection(v, 10); };
  const auto distance = [&v](const VectorXd& x) { return (x - v).squaredNorm(); };
  return {"l1_ball",
          "projection of 1000 numbers, against bisection",
          distance(mine()),
          distance(plain()),
          rate_of(1, seconds, [&] { keep(mine().data()); }),
          rate_of(1, seconds, [&] { keep(plain().data()); })};
}

SolverRow bench_quadratic(double seconds, std::mt19937_64& random) {
  const MatrixXd a = bells(200, 64, random);
  const MatrixXd q = a.transpose() * a / 200;
  const VectorXd b = bells(64, 1, random);
  const auto project = [](const VectorXd& x) { return analyzer::project_l1_ball(x, 3); };
  const auto objective = [&](const VectorXd& x) { return 0.5 * x.dot(q * x) - b.dot(x); };
  const auto mine = [&] { return analyzer::minimise_quadratic(q, b, project).x; };
  // Plain projected gradient without momentum, until a step is as short.
  const double smoothness = q.cwiseAbs().rowwise().sum().maxCoeff();
  const auto plain = [&] {
    VectorXd x = VectorXd::Zero(64);
    for (int i = 0; i < 100000; ++i) {
      const VectorXd next = project(x - (q * x - b) / smoothness);
      const double step = (next - x).norm();
      x = next;
      if (step <= 1e-10 * (1 + x.norm())) break;
    }
    return x;
  };
  return {"projected_gradient",
          "quadratic of 64 over the l1 ball, against steps without momentum",
          objective(mine()),
          objective(plain()),
          rate_of(1, seconds, [&] { keep(mine().data()); }),
          rate_of(1, seconds, [&] { keep(plain().data()); })};
}

SolverRow bench_basis_pursuit(double seconds, std::mt19937_64& random) {
  const MatrixXd g = bells(128, 512, random) / std::sqrt(128.0);
  VectorXd x = VectorXd::Zero(512);
  for (Eigen::Index j = 0; j < 10; ++j) x[50 * j] = j % 2 == 0 ? 1 : -1;
  const VectorXd u = g * x + 0.02 * bells(128, 1, random);
  const auto mine = [&] { return analyzer::basis_pursuit(g, u, 0.3); };
  const double lambda = mine().lambda;
  const auto objective = [&](const VectorXd& b) { return 0.5 * (u - g * b).squaredNorm() + lambda * b.lpNorm<1>(); };
  // The same Lasso by iterative soft-thresholding, once, at the lambda that was found.
  const double smoothness = 1.05 * (g * g.transpose()).cwiseAbs().rowwise().sum().maxCoeff();
  const auto plain = [&] {
    VectorXd b = VectorXd::Zero(512);
    for (int i = 0; i < 20000; ++i) {
      const VectorXd moved = b - g.transpose() * (g * b - u) / smoothness;
      const VectorXd next = moved.array().sign() * (moved.array().abs() - lambda / smoothness).cwiseMax(0);
      const double step = (next - b).norm();
      b = next;
      if (step <= 1e-11) break;
    }
    return b;
  };
  return {"basis_pursuit",
          "128 measurements of 512, the whole path, against one Lasso by shrinking steps",
          objective(mine().x),
          objective(plain()),
          rate_of(1, seconds, [&] { keep(mine().x.data()); }),
          rate_of(1, seconds, [&] { keep(plain().data()); })};
}

SolverRow bench_median(double seconds, std::mt19937_64& random) {
  const MatrixXd points = bells(32, 11, random);
  const auto objective = [&](const VectorXd& at) { return (points.colwise() - at).colwise().norm().sum(); };
  const auto mine = [&] { return analyzer::geometric_median(points); };
  // Gradient steps of decreasing length.
  const auto plain = [&] {
    VectorXd at = points.rowwise().mean();
    for (int i = 0; i < 3000; ++i) {
      VectorXd pull = VectorXd::Zero(32);
      for (Eigen::Index c = 0; c < 11; ++c) pull += (points.col(c) - at).normalized();
      at += pull * (0.3 / (1 + 0.002 * i));
    }
    return at;
  };
  return {"geometric_median",
          "11 points of 32 numbers, against gradient steps",
          objective(mine()),
          objective(plain()),
          rate_of(1, seconds, [&] { keep(mine().data()); }),
          rate_of(1, seconds, [&] { keep(plain().data()); })};
}

}  // namespace

int bench_solvers(const BenchOptions& options) {
  std::mt19937_64 random{1};
  std::vector<SolverRow> rows;
  for (const auto bench : {bench_projection, bench_quadratic, bench_basis_pursuit, bench_median})
    rows.push_back(bench(options.seconds, random));
  if (options.json) {
    Json solvers = Json::object();
    for (const SolverRow& row : rows)
      solvers[std::string(row.name)] = {{"what", row.what},
                                        {"objective", row.objective},
                                        {"reference_objective", row.reference},
                                        {"problems_per_second", row.rate},
                                        {"reference_problems_per_second", row.reference_rate},
                                        {"reference_ratio", row.ratio()}};
    print_json({{"solvers", solvers}});
    return done;
  }
  say("{:<20}{:>14}{:>14}{:>12}{:>8}  problem\n", "solver", "objective", "above plain", "a second", "ratio");
  for (const SolverRow& row : rows)
    say("{:<20}{:>14.8g}{:>14.2e}{:>12.4g}{:>8.2f}  {}\n", row.name, row.objective, row.objective - row.reference,
        row.rate, row.ratio(), row.what);
  say("\nratio: how many times faster than the plain method that it is compared with.\n");
  return done;
}

}  // namespace sotto::cli
