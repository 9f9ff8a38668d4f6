// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "federated.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>
#include <boost/math/distributions/normal.hpp>

#include "../frame/plan_parts.hpp"
#include "../rounds/last_cohort.hpp"
#include "../rounds/selection.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/protocol/estimate/spike_and_slab.hpp"
#include "sotto/local/link.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::uint32_t k_step_one_q24 = 1u << 24;
// Clipping at the expected norm leaves 1 - this/sqrt(k) of an answer with k coordinates, as in cascade.
constexpr double k_clipping_loss = 0.28;
constexpr double k_unknown = std::numeric_limits<double>::quiet_NaN();

/// The factor from coefficients in standard units to those of a device, whose features are fractions of full scale. A
/// linear target is one too; for a class <x, theta> has no unit.
double device_coefficient(const RegressionTerms& terms) {
  return terms.link == TargetLink::logistic ? 1 / terms.unit() : 1;
}

}  // namespace

Federated::Federated(const RegressionTerms& terms, FederatedPlan plan, const Manifest& manifest)
    : RoundProtocol(terms, manifest), plan_(std::move(plan)), weighted_(terms.features), noise_(terms.features) {}

Result<RoundDraft> Federated::draft() {
  RoundDraft draft{QuestionKind::update, Recipe::steps, number(), cohort(), plan_.spec, {}, broadcast_};
  const double on_device = device_coefficient(terms_), unit = terms_.unit();
  for (Entry& entry : draft.model) entry.value *= on_device;
  draft.link = static_cast<std::uint8_t>(terms_.link == TargetLink::logistic ? LinkKind::logistic : LinkKind::identity);
  draft.parameter[recipe::steps::radius] = positive_q24(plan_.radius[closed()] * on_device);
  // A residual of 2 is eight standard deviations; that of a class is at most 1. Privacy rests on the radius, not on
  // this clip.
  draft.parameter[recipe::steps::residual_bound] = (terms_.link == TargetLink::logistic ? 1 : 2) * k_step_one_q24;
  // A gradient on the device is unit^2 times one in standard units.
  draft.parameter[recipe::steps::step_size] = std::min(positive_q24(plan_.step / (unit * unit)), 64u << 24);
  draft.parameter[recipe::steps::counts] = step_counts(plan_.local_steps, plan_.keep);
  return draft;
}

void Federated::written(const RoundDraft& draft) {
  broadcast_ = draft.model;
  for (Entry& entry : broadcast_) entry.value /= device_coefficient(terms_);
}

std::vector<double> Federated::now() const {
  std::vector<double> out(weighted_.size());
  for (std::size_t j = 0; j < out.size(); ++j) out[j] = weight_ > 0 ? weighted_[j] / weight_ : 0;
  return out;
}

Result<Done> Federated::record(const RoundAggregate& aggregate) {
  const VectorMean mean = aggregate.direction();
  // For correlated features the reach of the steps depends on the unknown correlations, so the steps are added up
  // instead.
  const double gain =
      (1 - k_clipping_loss / std::sqrt(static_cast<double>(plan_.keep))) * (terms_.correlated ? 1 : plan_.reach);
  const double size = plan_.radius[closed()] / gain;
  // A cohort without reports is skipped.
  const double weight = aggregate.used() > 1 ? std::pow(plan_.growth, static_cast<double>(closed())) : 0;
  double noise = 0;
  for (std::uint32_t j = 0; j < terms_.features && weight > 0; ++j) {
    weighted_[j] += weight * size * mean.mean[j];
    noise_[j] += weight * weight * size * size * mean.standard_error[j] * mean.standard_error[j];
    noise += size * mean.noise_error[j] / terms_.features;
  }
  if (weight > 0) {
    for (const Entry& entry : broadcast_) weighted_[entry.feature] += weight * entry.value;
  }
  weight_ += weight;
  used_ += aggregate.used();
  model_.rounds.push_back({number(), "update", std::string(recipe_name(Recipe::steps)), terms_.features,
                           plan_.radius[closed()], aggregate.used(), noise});
  // The next cohort starts from the largest coefficients.
  const std::vector<double> at = now();
  std::vector<std::uint32_t> order(terms_.features);
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order,
                           [&at](std::uint32_t a, std::uint32_t b) { return std::abs(at[a]) > std::abs(at[b]); });
  order.resize(std::min<std::size_t>(terms_.sparsity, order.size()));
  std::ranges::sort(order);
  broadcast_.clear();
  for (const std::uint32_t j : order) {
    if (at[j] != 0) broadcast_.push_back({j, at[j]});
  }
  return Done{};
}

Model Federated::model() const {
  Model out = model_;
  if (!plan_.hopeless.empty() || weight_ == 0) {
    out.why_verdict = plan_.hopeless.empty() ? "no device answered" : plan_.hopeless;
    return out;
  }
  const std::vector<double> at = now(), no_evidence(at.size());
  std::vector<double> variance(at.size());
  for (std::size_t j = 0; j < at.size(); ++j) variance[j] = std::max(noise_[j] / (weight_ * weight_), 1e-18);
  // One variance for all coordinates: single ones are too noisy as weights.
  const double pooled = std::accumulate(variance.begin(), variance.end(), 0.0) / static_cast<double>(variance.size());
  std::ranges::fill(variance, pooled);
  const Posterior posterior =
      spike_and_slab(at, variance, no_evidence,
                     {static_cast<double>(terms_.sparsity), static_cast<double>(terms_.features), terms_.norm});
  const boost::math::normal normal;
  for (std::uint32_t j = 0; j < terms_.features; ++j) {
    if (posterior.weight[j] <= k_matters) continue;
    Coefficient c;
    c.feature = j;
    c.estimate = posterior.mean[j];
    c.standard_error = c.low = c.high = c.last_cohort = k_unknown;
    c.p_value = 2 * cdf(complement(normal, std::abs(at[j]) / std::sqrt(pooled)));
    out.coefficients.push_back(c);
  }
  confirm(out, terms_.features);  // the same reports chose them
  keep_support(out);
  const auto size = out.coefficients.size();
  const auto found = static_cast<std::size_t>(std::ranges::count_if(out.coefficients, &Coefficient::found));
  out.error.privacy = pooled * static_cast<double>(size);
  const double snr = plan_.snr * static_cast<double>(used_) / static_cast<double>(terms_.devices);
  out.why_verdict =
      size == 0 ? fmt::format("no coefficient stands out of the noise of {} devices at {:g} nats", used_, terms_.nats())
                : fmt::format(
                      "{} coefficient{} of {} differences, {} beyond what noise carries; signal to noise {:.2g}; local "
                      "steps stop short and clipping shrinks, so there are no intervals",
                      size, size == 1 ? "" : "s", used_, found, snr);
  return out;
}

}  // namespace sotto::analyzer
