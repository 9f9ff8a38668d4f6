// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/solve/baselines.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "local_lasso.hpp"
#include "sotto/analyzer/data/split.hpp"
#include "sotto/analyzer/solve/moments.hpp"
#include "sotto/analyzer/solve/omp.hpp"
#include "sotto/analyzer/solve/pooled_lasso.hpp"

namespace sotto::analyzer {
namespace {

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 != 0) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

/// The rows with the means of each user taken off, and clipped no more.
StandardRows changes_of(const StandardRows& rows) {
  StandardRows out = rows;
  for (std::size_t u = 0; u < rows.users(); ++u) {
    const auto first = static_cast<Eigen::Index>(rows.first_row[u]);
    const auto count = static_cast<Eigen::Index>(rows.first_row[u + 1]) - first;
    if (count == 0) continue;
    out.x.middleRows(first, count).rowwise() -= rows.x.middleRows(first, count).colwise().mean();
    out.y.segment(first, count).array() -= rows.y.segment(first, count).mean();
  }
  return out;
}

}  // namespace

Baselines measure_baselines(const StandardRows& train, const StandardRows& test, const BaselineOptions& options) {
  std::vector<std::uint32_t> everybody(train.users());
  std::iota(everybody.begin(), everybody.end(), 0u);
  const auto moments_of = [&](const StandardRows& rows) {
    RowMoments sums(rows.x.cols());
    sums.add(rows, everybody);
    return centred(std::move(sums));
  };
  const Covariances data = moments_of(train), changes = moments_of(changes_of(train));

  Baselines out;
  out.mean_mse = (test.y.array() - data.mean_y).square().mean();
  out.omp_mse = mean_squared_error(orthogonal_matching_pursuit(data, options.omp_variables).model, test);
  const LinearModel of_changes = orthogonal_matching_pursuit(changes, options.omp_variables).model;
  out.changes_mse = mean_squared_error(with_intercept(of_changes.beta, data), test);
  out.pooled_lasso_mse = mean_squared_error(pooled_lasso_cv(train, options.folds, options.seed).model, test);

  std::vector<std::uint32_t> asked = split_users(train.users(), 0, options.seed).train;
  asked.resize(std::min<std::size_t>(asked.size(), options.local_users));
  std::vector<double> errors;
  for (const std::uint32_t user : asked) {
    errors.push_back(mean_squared_error(local_lasso(train, user, options.seed), test));
  }
  out.local_lasso_median_mse = median(std::move(errors));
  return out;
}

}  // namespace sotto::analyzer
