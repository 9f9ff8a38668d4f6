// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "bench.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

#include "exit.hpp"
#include "say.hpp"
#include "sotto/analyzer/solve/lasso.hpp"
#include "sotto/local/lasso.hpp"
#include "sotto/local/least_squares.hpp"
#include "sotto/local/screen.hpp"
#include "stopwatch.hpp"
#include "talk.hpp"

// `sotto bench local`: speed of the device's integer solvers, compared with solvers in doubles.
namespace sotto::cli {
namespace {

constexpr std::uint32_t k_rows = 100, k_unit = 8192;
constexpr int k_users = 16;

/// Approximately normal features with standard deviation 1/4; the target is 0.2 times the sum of eight of them, plus
/// noise. The same numbers in fixed point and in doubles.
struct User {
  User(std::uint32_t features, std::mt19937_64& random)
      : table(k_rows * (features + 1)), x(k_rows, features), y(k_rows) {
    std::normal_distribution<double> bell;
    const auto to_q15 = [](double v) {
      return static_cast<Q15>(std::lround(std::fmin(std::fmax(v * 32768, -32768.0), 32767.0)));
    };
    for (std::uint32_t i = 0; i < k_rows; ++i) {
      Q15* const row = &table[i * (features + 1)];
      double target = bell(random);
      for (std::uint32_t j = 0; j < features; ++j) {
        const double value = bell(random);
        if (j % (features / 8) == 0) target += 0.2 * value;
        row[j] = to_q15(value / 4);
        x(i, j) = row[j] / 32768.0;
      }
      row[features] = to_q15(target / 4.6);
      y[i] = row[features] / 32768.0;
    }
  }
  [[nodiscard]] Samples samples() const {
    const auto features = static_cast<std::uint32_t>(x.cols());
    return {k_rows, features, table.data(), features + 1, nullptr, nullptr};
  }

  std::vector<Q15> table;
  Eigen::MatrixXd x;
  Eigen::VectorXd y;
};

std::vector<User> make_users(std::uint32_t features) {
  std::mt19937_64 random{features};
  std::vector<User> users;
  for (int i = 0; i < k_users; ++i) users.emplace_back(features, random);
  return users;
}

struct LocalRow {
  std::string_view name, what;
  double device, eigen;  ///< users per second
  [[nodiscard]] double ratio() const { return eigen / device; }
};

/// The first columns of a user, contiguous in memory, the layout that suits a host with vector instructions.
class Columns {
 public:
  explicit Columns(std::uint32_t count) : chosen_(count), offsets_(count), copy_(k_rows * (count + 1)) {
    for (std::uint32_t j = 0; j < count; ++j) chosen_[j] = static_cast<std::uint16_t>(j);
  }
  [[nodiscard]] ColumnView of(const User& user) { return copy_columns(user.samples(), chosen_, offsets_, copy_); }

 private:
  std::vector<std::uint16_t> chosen_, offsets_;
  std::vector<Q15> copy_;
};

/// A path of 20 lambdas down to a tenth of the largest, with tolerance 1e-4 and the same working-set rules on both
/// sides.
LocalRow bench_lasso(double seconds) {
  constexpr std::uint32_t k_columns = 64;
  const auto users = make_users(k_columns);
  std::vector<double> lambda;
  for (const User& u : users) lambda.push_back((u.x.transpose() * u.y).cwiseAbs().maxCoeff() / k_rows / 10);
  Columns columns{k_columns};
  std::vector<std::byte> work(lasso_work_bytes(k_rows, k_columns));
  std::vector<std::int32_t> beta_q24(k_columns);
  const double device = rate_of(k_users, seconds, [&] {
    for (std::size_t i = 0; i < users.size(); ++i) {
      const LassoSpec spec{.nominal_rows = k_rows,
                           .lambda_q24 = static_cast<std::uint32_t>(std::lround(lambda[i] * 16777216)),
                           .tolerance_q24 = 1678};
      lasso(spec, columns.of(users[i]), work, beta_q24);
      keep(beta_q24.data());
    }
  });
  const double eigen = rate_of(k_users, seconds, [&] {
    for (std::size_t i = 0; i < users.size(); ++i) {
      const auto fit = analyzer::Lasso{users[i].x, users[i].y, {.tolerance = 1e-4}}.path(lambda[i]);
      keep(fit.beta.data());
    }
  });
  return {"lasso", "100 x 64, path of 20 to 0.1 lambda_max", device, eigen};
}

LocalRow bench_screen(double seconds) {
  const auto users = make_users(1024);
  std::vector<std::byte> work(screen_work_bytes(k_rows, true));
  std::vector<ScreenedColumn> best(1);
  const double device = rate_of(k_users, seconds, [&] {
    for (const User& u : users) {
      screen({k_rows, k_unit}, u.samples(), {}, work, best);
      keep(best.data());
    }
  });
  const double ridge = 0.1 * k_rows * (k_unit / 32768.0) * (k_unit / 32768.0);
  const double eigen = rate_of(k_users, seconds, [&] {
    for (const User& u : users) {
      Eigen::Index at = 0;
      const Eigen::ArrayXd below = (u.x.colwise().squaredNorm().transpose().array() + ridge).sqrt();
      keep(&at);
      ((u.x.transpose() * u.y).array().abs() / below).maxCoeff(&at);
      keep(&at);
    }
  });
  return {"screen", "100 x 1024, the strongest", device, eigen};
}

LocalRow bench_least_squares(double seconds) {
  constexpr std::uint32_t k_columns = 8;
  const auto users = make_users(k_columns);
  Columns columns{k_columns};
  std::vector<std::byte> work(least_squares_work_bytes(k_columns));
  std::vector<std::int32_t> beta_q24(k_columns);
  const LeastSquaresSpec spec{.nominal_rows = k_rows};
  const double device = rate_of(k_users, seconds, [&] {
    for (const User& u : users) {
      least_squares(spec, columns.of(u), nullptr, work, beta_q24);
      keep(beta_q24.data());
    }
  });
  const double eigen = rate_of(k_users, seconds, [&] {
    for (const User& u : users) {
      Eigen::MatrixXd gram = u.x.transpose() * u.x;
      gram.diagonal().array() += k_rows * spec.ridge_q24 / 16777216.0;
      const Eigen::VectorXd beta = gram.ldlt().solve(u.x.transpose() * u.y);
      keep(beta.data());
    }
  });
  return {"least_squares", "100 x 8, ridge", device, eigen};
}

}  // namespace

int bench_local(const BenchOptions& options) {
  std::vector<LocalRow> rows;
  for (const auto bench : {bench_lasso, bench_screen, bench_least_squares}) rows.push_back(bench(options.seconds));
  if (options.json) {
    Json local;
    for (const LocalRow& r : rows) {
      local[r.name] = {{"what", r.what},
                       {"users_per_second", r.device},
                       {"eigen_users_per_second", r.eigen},
                       {"eigen_ratio", r.ratio()}};
    }
    print_json({{"bench", "local"}, {"threads", 1}, {"seconds_per_number", options.seconds}, {"local", local}});
    return done;
  }
  say("One core. A ratio of 1.5 means: the device library in fixed point takes 1.5 times as long as doubles in "
      "Eigen.\n\n");
  say("{:<14} {:<42} {:>12} {:>12} {:>8}\n", "answer", "", "users 1/s", "Eigen 1/s", "ratio");
  for (const LocalRow& r : rows)
    say("{:<14} {:<42} {:>12.4g} {:>12.4g} {:>8.2f}\n", r.name, r.what, r.device, r.eigen, r.ratio());
  return done;
}

}  // namespace sotto::cli
