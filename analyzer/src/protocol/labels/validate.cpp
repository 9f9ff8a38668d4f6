// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <cmath>

#include "labels.hpp"
#include "sotto/analyzer/protocol/frame/measured.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::size_t k_rows_min = 30;  // that are held back; fewer measure nothing
// How far the stated variance of the target may be off, and that of a declared law which fits, as shares of it.
constexpr double k_stated_doubt = 0.5, k_declared_doubt = 0.2;

Measured mean_of(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  double sum = 0, square = 0;
  for (const double v : values) sum += v;
  for (const double v : values) square += (v - sum / n) * (v - sum / n);
  return {sum / n, std::sqrt(square / (n - 1) / n), values.size()};
}

/// The mean of classes, -1 or +1. Reports of a class that nearly all share are skewed, and may look calmer than the
/// channel's law.
Measured mean_of_classes(const std::vector<double>& values, const AnySpec& spec) {
  Measured out = mean_of(values);
  const Result<ScalarLaw> law = ScalarLaw::of(spec);
  const double of_law = law ? law.value().variance(std::clamp(out.value, -1.0, 1.0)) : 0;
  out.error = std::max(out.error, std::sqrt(of_law / static_cast<double>(values.size())));
  return out;
}

/// y^2 - (y - f)^2 in the mean, for labels z that are g y in the mean, around the means of the rows themselves.
Measured better_of(const LabelRows::Fitted& rows, double gain) {
  const Measured of_label = mean_of(rows.label), of_fit = mean_of(rows.fit);
  std::vector<double> each;
  for (std::size_t i = 0; i < rows.label.size(); ++i) {
    const double f = rows.fit[i] - of_fit.value;
    each.push_back(f * (2 * (rows.label[i] - of_label.value) / gain - f));
  }
  Measured out = mean_of(each);
  // Both means are those of the same rows, which takes one row's worth of the covariance away.
  const auto n = static_cast<double>(each.size());
  out.value *= n / (n - 1);
  return out;
}

/// The variance of the target: that of the labels less what privacy adds, and what the study states.
Measured variance_of(const RegressionTerms& terms, const LabelPlan& plan, const std::vector<double>& labels) {
  const double stated = std::pow(terms.target_spread(), 2);
  if (terms.target_is_normal) return {stated, k_declared_doubt * stated, 0};
  std::vector<double> squares;
  const double middle = mean_of(labels).value;
  for (const double z : labels) squares.push_back((z - middle) * (z - middle));
  Measured seen = mean_of(squares);
  seen.value -= plan.variance;
  Measured out = pooled(seen, {stated, k_stated_doubt * stated, 0});
  out.value = std::max(out.value, (1 - k_stated_doubt) * k_declared_doubt * stated);
  out.reports = 0;  // rows that taught say it as well, and do not count as those that measure
  return out;
}

}  // namespace

/// From labels that are right in the mean, of rows whose features the analyst knows: nobody has to be asked again.
void Labels::validate(const LabelRows& rows, const LabelFit& all) {
  if (all.model.feature.empty() || !law_fits_) return;
  LabelRows::Fitted held = rows.fitted(LabelPart::validate, all.model);
  if (held.label.size() < k_rows_min) return;
  if (terms_.link == TargetLink::logistic) {
    // A label is +1 or -1 in the mean, and so is what the model tells of its row.
    std::vector<double> right;
    for (std::size_t i = 0; i < held.label.size(); ++i)
      right.push_back(held.fit[i] > 0 ? held.label[i] / plan_.bound : -held.label[i] / plan_.bound);
    std::vector<double> upper;
    for (const double z : rows.fitted(LabelPart::all, {}).label) upper.push_back(z / plan_.bound);
    model_.validation = class_gain_of_all(mean_of_classes(upper, plan_.spec), mean_of_classes(right, plan_.spec));
    model_.validation.devices = held.label.size();
    return;
  }
  double gain = plan_.line.gain;
  if (terms_.link != TargetLink::identity) {
    // What is predicted is the label itself.
    const ClippedResponse response = plan_.response(terms_);
    for (double& u : held.fit) u = response.at(u).value;
    gain = 1;
  }
  std::vector<double> labels = rows.fitted(LabelPart::all, {}).label;
  labels.insert(labels.end(), held.label.begin(), held.label.end());
  model_.validation = number_gain_of_all(better_of(held, gain), variance_of(terms_, plan_, labels));
}

}  // namespace sotto::analyzer
