// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/central/problem.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sotto::analyzer::central {

std::string_view loss_name(Loss loss) {
  switch (loss) {
    case Loss::logistic: return "logistic";
    case Loss::squared: return "linear";
    case Loss::huber: return "huber";
  }
  return "";
}

double residual(const Problem& problem, double margin, double y) {
  switch (problem.loss) {
    case Loss::logistic: return 1 / (1 + std::exp(-margin)) - y;
    case Loss::squared: return margin - y;
    case Loss::huber: return std::clamp(margin - y, -problem.bounds.target, problem.bounds.target);
  }
  return 0;
}

double loss_of(const Problem& problem, double margin, double y) {
  switch (problem.loss) {
    case Loss::logistic: return std::max(margin, 0.0) + std::log1p(std::exp(-std::abs(margin))) - y * margin;
    case Loss::squared: return (margin - y) * (margin - y) / 2;
    case Loss::huber: {
      const double size = std::abs(margin - y), tau = problem.bounds.target;
      return size <= tau ? size * size / 2 : tau * size - tau * tau / 2;
    }
  }
  return 0;
}

Problem restrict_to(const Sample& sample, const std::vector<std::uint32_t>& columns) {
  Problem part;
  const Problem& from = sample.problem;
  part.x = from.x.pick(sample.rows, columns);
  part.y.reserve(sample.rows.size());
  for (const std::uint32_t row : sample.rows) part.y.push_back(from.y[row]);
  part.norms = part.x.norms();
  part.loss = from.loss;
  part.l2 = from.l2;
  part.bounds = from.bounds;
  part.bounds.row *= std::sqrt(static_cast<double>(columns.size()) / static_cast<double>(from.x.columns()));
  return part;
}

Sample all_rows(const Problem& problem) {
  Sample sample{problem, std::vector<std::uint32_t>(problem.x.size()), static_cast<double>(problem.x.size())};
  std::iota(sample.rows.begin(), sample.rows.end(), 0u);
  return sample;
}

Fitness measure(const Problem& problem, const std::vector<std::uint32_t>& rows, const Weights& w) {
  Fitness sum;
  for (const std::uint32_t row : rows) {
    const double m = dot(problem.x, row, w), y = problem.y[row];
    if (problem.loss == Loss::logistic) {
      sum.loss += loss_of(problem, m, y);
      sum.error += (m > 0) != (y > 0.5);
    } else {
      sum.loss += (m - y) * (m - y);
    }
  }
  const double n = std::max<double>(1, static_cast<double>(rows.size()));
  return {sum.loss / n, sum.error / n};
}

}  // namespace sotto::analyzer::central
