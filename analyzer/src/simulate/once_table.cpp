// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/simulate/once_table.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sotto::analyzer {
namespace {

constexpr double k_function_scale = 2, k_record_scale = 4;
constexpr double k_rows_kept = 0.9, k_targets_kept = 0.95;

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 1;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

}  // namespace

double once_full_scale(OnceTask task) { return task == OnceTask::function ? k_function_scale : k_record_scale; }

Scaling once_scaling(OnceTask task, Scaling scaling) {
  if (task == OnceTask::mean) {
    for (Scale& scale : scaling.features) scale = {0, std::hypot(scale.offset, scale.deviation)};
    scaling.target = {};
  }
  if (task == OnceTask::logistic) scaling.target = {0, 1 / once_full_scale(task)};
  return scaling;
}

Table with_classes(Table table, double mean) {
  for (float& y : table.y) y = y > mean ? 1.0f : -1.0f;
  return table;
}

void state_rows(OnceTask task, const StandardRows& train, double full_scale, OnceTerms& terms) {
  std::vector<double> lengths, targets;
  for (Eigen::Index row = 0; row < train.x.rows(); ++row) {
    lengths.push_back(train.x.row(row).norm() / full_scale);
    targets.push_back(std::abs(train.y[row]) / full_scale);
  }
  constexpr double k_least = 1e-3;  // of columns that never vary
  terms.row_norm = std::max(k_least, quantile(std::move(lengths), k_rows_kept));
  terms.target_bound =
      task == OnceTask::logistic ? 1 : std::clamp(quantile(std::move(targets), k_targets_kept), k_least, 1.0);
}

double function_mse(const Model& model, const Table& table, std::span<const std::uint32_t> users,
                    const Scaling& scaling) {
  double sum = 0, count = 0;
  std::vector<double> readings(table.features.size());
  for (const std::uint32_t user : users) {
    for (std::size_t r = table.first_row[user]; r < table.first_row[user + 1]; ++r, ++count) {
      for (std::size_t j = 0; j < readings.size(); ++j) readings[j] = transformed(table.row(r)[j], scaling.transform);
      const double said = model.function.inputs.empty() ? scaling.target.offset : model.function(readings);
      const double left = (table.y[r] - said) / scaling.target.deviation;
      sum += left * left;
    }
  }
  return sum / std::max(1.0, count);
}

MeanErrors mean_errors(const Model& model, const StandardRows& rows, double full_scale) {
  Eigen::VectorXd left = rows.x.colwise().mean();
  const double zero = left.norm();
  for (const Coefficient& c : model.coefficients) left[c.feature] -= full_scale * c.estimate;
  return {left.norm(), zero};
}

}  // namespace sotto::analyzer
