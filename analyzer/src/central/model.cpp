// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/central/model.hpp"

#include <algorithm>
#include <cmath>

#include "sotto/analyzer/central/moments.hpp"

namespace sotto::analyzer::central {

std::string_view scaling_name(RowScaling scaling) {
  switch (scaling) {
    case RowScaling::standard: return "standard";
    case RowScaling::rows: return "rows";
    case RowScaling::none: return "none";
  }
  return "";
}

std::string_view adjacency_name(Adjacency adjacency) {
  return adjacency == Adjacency::add_remove ? "add-remove" : "replace-one";
}

std::string_view scales_source_name(ScalesSource source) {
  switch (source) {
    case ScalesSource::none: return "none";
    case ScalesSource::given: return "public";
    case ScalesSource::paid: return "paid";
    case ScalesSource::exact: return "exact";
  }
  return "";
}

namespace {

void describe_moments(FittedModel& m, const PreparedData& data) {
  if (!m.is_private || data.paid.empty()) return;
  PrivacyMeter meter;
  double precision = 0;
  for (const GaussianRelease& release : data.paid) {
    meter.add_gaussian(release);
    precision += 1 / (release.z * release.z);
  }
  m.moments_epsilon = meter.epsilon(m.delta);
  if (const auto all = moments_precision(m.epsilon, m.delta, 1)) m.moments_share = precision / all.value();
}

}  // namespace

bool FittedModel::is_finite() const {
  return std::isfinite(intercept) && std::ranges::all_of(coefficients, [](const FittedCoefficient& c) {
           return std::isfinite(c.value) && std::isfinite(c.per_unit);
         });
}

FittedModel describe_fit(const PreparedData& data, const FitSettings& settings, const FitResult& result, bool is_seeded,
                         std::uint32_t fits) {
  FittedModel m;
  m.method = method_name(settings.method);
  m.loss = loss_name(data.problem.loss);
  m.target = data.target;
  m.scaling = scaling_name(data.scaling);
  m.transform = data.transform == Transform::log ? "log" : "none";
  m.positive = data.positive;
  m.is_count = data.is_count;
  m.levels = data.levels;
  m.rows = data.problem.x.size();
  m.features = static_cast<std::uint32_t>(data.problem.x.columns());
  m.nonzeros = settings.nonzeros;
  m.intercept = data.target_scale.offset;
  for (const std::uint32_t j : result.w.support) {
    if (result.w.at[j] == 0) continue;
    const Scale scale = data.scales.empty() ? Scale{} : data.scales[j];
    const double value = result.w.at[j], per_unit = value * data.target_scale.deviation / scale.deviation;
    m.intercept -= per_unit * scale.offset;
    const std::string name = data.names.empty() ? std::to_string(j + 1) : data.names[j];
    const FeatureSource source =
        data.sources.empty() ? FeatureSource{FeatureSource::Kind::number, name} : data.sources[j];
    m.coefficients.push_back({j, name, value, per_unit, source, scale.offset, scale.deviation});
  }
  std::stable_sort(m.coefficients.begin(), m.coefficients.end(),
                   [](const auto& a, const auto& b) { return std::abs(a.value) > std::abs(b.value); });
  m.is_private = settings.budget.has_value();
  m.is_proven = result.is_proven && data.scales_source != ScalesSource::exact;
  m.is_seeded = is_seeded;
  m.scales_source = data.scales_source;
  m.is_common_range = data.is_common_range;
  m.epsilon = m.is_private ? settings.budget->epsilon : INFINITY;
  m.epsilon_delivered = result.epsilon;
  m.delta = m.is_private ? settings.budget->delta : 0;
  m.adjacency = adjacency_name(settings.adjacency);
  describe_moments(m, data);
  m.z = result.z;
  m.steps = result.steps;
  m.passes = result.passes;
  m.step_size = result.step_size;
  m.assumed_public = data.assumed_public;
  m.assumed_public.emplace_back(
      "the method, its number of steps and their length, k, epsilon and delta: none was chosen by looking at the rows");
  m.privacy = fit_statement(m, fits);
  return m;
}

}  // namespace sotto::analyzer::central
