// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// An implementation that shares nothing with this one: scikit-learn's Lasso on the same numbers. Skips where Python's sklearn is
// not installed (Debian: apt install python3-sklearn; the interpreter is SOTTO_SKLEARN_PYTHON in the environment, or
// /usr/bin/python3).
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "lasso_agreement.hpp"

namespace sotto {
namespace {

std::string python() {
  const char* const given = std::getenv("SOTTO_SKLEARN_PYTHON");
  return given != nullptr ? given : "/usr/bin/python3";
}

constexpr const char* k_script = R"(
import sys
import numpy as np
from sklearn.linear_model import Lasso
with open(sys.argv[1]) as f:
    for _ in range(int(f.readline())):
        rows, columns, alpha = f.readline().split()
        a = np.array(f.readline().split(), dtype=float).reshape(int(rows), int(columns) + 1)
        fit = Lasso(alpha=float(alpha), fit_intercept=False, tol=1e-13, max_iter=1000000).fit(a[:, :-1], a[:, -1])
        print(*["%.17g" % b for b in fit.coef_])
)";

TEST(LassoAgainstSklearn, same_support_and_coefficients) {
  if (std::system((python() + " -c 'import sklearn' 2> /dev/null").c_str()) != 0) {
    GTEST_SKIP() << "no sklearn for " << python() << "; apt install python3-sklearn";
  }
  const std::filesystem::path dir = std::filesystem::path{testing::TempDir()} / "sotto_sklearn";
  std::filesystem::create_directories(dir);
  std::ofstream{dir / "fit.py"} << k_script;

  constexpr int k_users = 300;
  std::mt19937_64 random{61};
  std::vector<Eigen::VectorXd> device, ours;
  {
    std::ofstream out{dir / "problems.txt"};
    out.precision(17);
    out << k_users << '\n';
    for (int user = 0; user < k_users; ++user) {
      const auto rows = static_cast<std::uint32_t>(30 + random() % 100);
      const LocalProblem all = bell_problem(rows, 100, random);
      const ScreenedProblem p{all, 80};
      const auto lambda_q24 = static_cast<std::uint32_t>(p.lambda_max() * k_q24 * (0.1 + 0.8 * (user % 10) / 10));
      device.push_back(from_q24(p.solve_device({.nominal_rows = 80, .lambda_q24 = lambda_q24})));
      ours.push_back(p.solve_double(lambda_q24 / k_q24).beta);
      // sklearn divides the loss by the rows that it gets, this project by the nominal ones.
      out << rows << ' ' << p.x().cols() << ' ' << lambda_q24 / k_q24 * 80 / rows << '\n';
      for (std::uint32_t i = 0; i < rows; ++i) out << p.x().row(i) << ' ' << p.y()[i] << ' ';
      out << '\n';
    }
  }
  std::FILE* const pipe =
      popen((python() + " '" + (dir / "fit.py").string() + "' '" + (dir / "problems.txt").string() + "'").c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  int same = 0;
  double worst = 0, worst_double = 0;
  for (std::size_t user = 0; user < device.size(); ++user) {
    Eigen::VectorXd theirs(device[user].size());
    for (double& b : theirs) ASSERT_EQ(std::fscanf(pipe, "%lf", &b), 1) << "user " << user;
    same += (device[user].array() != 0).cwiseEqual(theirs.array().abs() > 1e-9).all();
    worst = std::max(worst, (device[user] - theirs).cwiseAbs().maxCoeff());
    worst_double = std::max(worst_double, (ours[user] - theirs).cwiseAbs().maxCoeff());
  }
  EXPECT_EQ(pclose(pipe), 0);
  EXPECT_GE(same, k_users * 99 / 100);
  EXPECT_LE(worst, std::ldexp(1, -10));
  EXPECT_LE(worst_double, 1e-7);
}

}  // namespace
}  // namespace sotto
