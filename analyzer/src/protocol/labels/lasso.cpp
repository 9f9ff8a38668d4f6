// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <cmath>
#include <numeric>

#include "fit.hpp"
#include "sotto/analyzer/solve/gram_lasso.hpp"

namespace sotto::analyzer {
namespace {

constexpr double k_screened = 0.6;  // of lambda; columns below it are only checked at the end
constexpr double k_slack = 1.02;    // tolerance relative to lambda in the final check of all columns
constexpr std::size_t k_columns_max = 256;
constexpr int k_looks = 6;

}  // namespace

LabelFit fit_lasso(const LabelRows& rows, LabelPart part, const LabelPlan& plan) {
  LabelFit out;
  const ExpectedLabel line{nullptr, plan.line};
  const double gain = plan.line.gain;
  LabelPass sums = rows.pass(part, out.model, line, true);
  out.passes = 1;
  const auto n = static_cast<double>(sums.rows);
  if (sums.rows < 2) return out;
  const double lambda =
      std::sqrt(plan.second_moment) / gain * std::sqrt(2 * std::log(std::max<double>(2, rows.features())) / n);
  const Eigen::VectorXd moment = sums.gradient / (n * gain * gain);

  std::vector<std::uint32_t> columns(rows.features());
  std::iota(columns.begin(), columns.end(), 0u);
  std::ranges::stable_sort(columns,
                           [&](std::uint32_t a, std::uint32_t b) { return std::abs(moment[a]) > std::abs(moment[b]); });
  const auto weak =
      std::ranges::find_if(columns, [&](std::uint32_t j) { return std::abs(moment[j]) <= k_screened * lambda; });
  columns.resize(std::min<std::size_t>(k_columns_max, static_cast<std::size_t>(weak - columns.begin())));
  std::ranges::sort(columns);
  for (int look = 0; look < k_looks; ++look) {
    out.model.feature = columns;
    out.model.value = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(columns.size()));
    if (!columns.empty()) {
      const Eigen::MatrixXd gram = rows.pass(part, out.model, line, false).gauss / (n * gain * gain);
      const Eigen::VectorXd of_columns = moment(columns);
      GramLasso lasso(gram, of_columns, 1);
      lasso.minimise(lambda);
      out.model.value = lasso.beta();
    }
    sums = rows.pass(part, out.model, line, true);
    out.passes += 2;
    std::vector<std::uint32_t> missed;
    for (std::uint32_t j = 0; j < rows.features(); ++j) {
      if (std::abs(sums.gradient[j]) > k_slack * lambda * n * gain * gain && !std::ranges::binary_search(columns, j))
        missed.push_back(j);
    }
    if (missed.empty() || columns.size() + missed.size() > k_columns_max) break;
    columns.insert(columns.end(), missed.begin(), missed.end());
    std::ranges::sort(columns);
  }
  out.noise = sums.squares / n;
  LabelModel kept;
  std::vector<double> values;
  for (std::size_t k = 0; k < out.model.feature.size(); ++k) {
    const double value = out.model.value[static_cast<Eigen::Index>(k)];
    if (value == 0) continue;
    kept.feature.push_back(out.model.feature[k]);
    values.push_back(value);
  }
  kept.value = Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
  out.model = std::move(kept);
  out.weight.assign(values.size(), 1);
  out.matters = static_cast<double>(values.size());
  out.variance = Eigen::VectorXd::Constant(static_cast<Eigen::Index>(values.size()), out.noise / (n * gain * gain));
  return out;
}

}  // namespace sotto::analyzer
