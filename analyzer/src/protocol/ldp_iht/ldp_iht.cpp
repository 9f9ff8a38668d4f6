// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "ldp_iht.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "../estimate/clipped_residual.hpp"
#include "../rounds/selection.hpp"
#include "candidates.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"

namespace sotto::analyzer {
namespace {

// The distance of the centre from the truth tends to be larger than predicted.
constexpr double k_left_allowance = 1.6, k_left_min = 1e-8;
// The norm of a centre is at most this multiple of the study's bound.
constexpr double k_over_norm = 1.5;
// Largest share of signal in a residual; largest factor by which a cohort may lengthen its own steps.
constexpr double k_signal_share_max = 0.98, k_own_stretch_max = 3;
// Gradients of several rows, clipped at their mean square, keep 1 - 0.28/sqrt(k) of their length, as in cascade.
constexpr double k_clipping_loss = 0.28;

double square_sum(const std::vector<double>& values) {
  return std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
}

/// Squared norm of what the answers estimate: theta, or the part of it that the signs of classes show.
double signal_of(const RegressionTerms& terms) {
  const double square = expected_square(terms);
  return terms.link == TargetLink::logistic ? square * std::pow(class_attenuation(std::sqrt(square)), 2) : square;
}

SparsePrior prior_of(const RegressionTerms& terms) {
  return {static_cast<double>(terms.sparsity), static_cast<double>(terms.features), std::sqrt(signal_of(terms))};
}

}  // namespace

LdpIht::LdpIht(const RegressionTerms& terms, ItemPlan plan, const Manifest& manifest)
    : RoundProtocol(terms, manifest),
      plan_(std::move(plan)),
      noise_(terms.noise / mean_slope(terms)),
      signal_(signal_of(terms)),
      deviation_(is_class() ? 1 : std::hypot(std::sqrt(signal_), noise_)),
      history_(prior_of(terms), plan_.trust),
      centre_(terms.features),
      candidates_(terms.features),
      left_(signal_) {
  std::iota(candidates_.begin(), candidates_.end(), 0u);
}

void LdpIht::prepare_question() {
  asked_ = {plan_.answer, candidates_, candidates_.size() == terms_.features, {}, 1};
  std::vector<std::uint32_t> named = candidates_;
  if (asked_.is_all) {
    std::erase_if(named, [&](std::uint32_t j) { return is_class() || centre_[j] == 0; });
    const std::size_t room = centre_room(terms_);
    if (named.size() > room) {
      std::ranges::nth_element(
          named, named.begin() + static_cast<std::ptrdiff_t>(room),
          [&](std::uint32_t a, std::uint32_t b) { return std::abs(centre_[a]) > std::abs(centre_[b]); });
      named.resize(room);
      std::ranges::sort(named);
    }
  }
  // A class is most informative around the centre 0, where its sign is its residual.
  for (const std::uint32_t j : named) asked_.centre.push_back({j, is_class() ? 0 : centre_[j]});
  const double k = static_cast<double>(candidates_.size()), m = terms_.samples;
  if (plan_.answer == ItemAnswer::block) {
    asked_.bound = plan_.clip * deviation_;
  } else if (terms_.samples == 1) {
    asked_.bound = plan_.clip * deviation_ * std::sqrt(k);
  } else {
    asked_.bound = std::sqrt((is_class() ? signal_ : left_) + deviation_ * deviation_ * k / m);
  }
}

Result<RoundDraft> LdpIht::draft() {
  prepare_question();
  return draft_item(terms_, asked_, number(), cohort());
}

void LdpIht::written(const RoundDraft& draft) {
  if (is_class()) return;
  std::ranges::fill(centre_, 0.0);
  for (const Entry& entry : draft.model) centre_[entry.feature] = entry.value;
}

Result<Done> LdpIht::record(const RoundAggregate& aggregate) {
  CohortSteps cohort = steps_of(aggregate.direction());
  last_used_ = aggregate.used();
  if (terms_.paper) {
    step_as_the_paper(cohort);
  } else {
    history_.add(std::move(cohort));
    recentre();
  }
  return Done{};
}

void LdpIht::prepare_next() {
  if (closed() < plan_.shares.size() && !terms_.paper && !terms_.correlated) prepare_candidates();
}

CohortSteps LdpIht::steps_of(const VectorMean& mean) {
  CohortSteps out = plan_.answer == ItemAnswer::block ? block_steps(mean) : direction_steps(mean);
  double noise = 0, heard = 0;  // a coordinate without reports is skipped
  for (const double variance : out.variance) {
    if (!std::isfinite(variance)) continue;
    noise += std::sqrt(variance);
    ++heard;
  }
  noise /= std::max(1.0, heard);
  const Recipe recipe = plan_.answer == ItemAnswer::block ? Recipe::signs
                        : terms_.samples == 1             ? Recipe::row_gradient
                                                          : Recipe::gradient;
  model_.rounds.push_back({number(), plan_.answer == ItemAnswer::block ? "block" : "direction",
                           std::string(recipe_name(recipe)), static_cast<std::uint32_t>(out.feature.size()),
                           asked_.bound, mean.used, noise});
  // The share of the variance that would remain if all devices reported whole residuals about all coordinates.
  if (plan_.answer == ItemAnswer::block && noise > 0)
    sampling_ = std::min(1.0, std::pow(deviation_ / noise, 2) / static_cast<double>(mean.used));
  if (!is_class() && plan_.trust.stretches) out.stretch = own_stretch(out);
  return out;
}

CohortSteps LdpIht::block_steps(const VectorMean& mean) const {
  CohortSteps out{asked_.asked, {}, {}, {}, 1};
  const double gain = clipping_gain(deviation_, asked_.bound) / asked_.bound;
  for (std::size_t i = 0; i < out.feature.size(); ++i) {
    const double error = mean.noise_error[i];
    out.centre.push_back(is_class() ? 0 : centre_[out.feature[i]]);
    out.step.push_back(is_class() ? mean.mean[i] : unclipped(mean.mean[i], deviation_, asked_.bound));
    out.variance.push_back(is_class() ? error * error : error * error / (gain * gain));
  }
  return out;
}

CohortSteps LdpIht::direction_steps(const VectorMean& mean) {
  CohortSteps out{asked_.asked, {}, {}, {}, 1};
  const std::size_t k = out.feature.size();
  double gain = 1 - k_clipping_loss / std::sqrt(static_cast<double>(k));
  if (terms_.samples == 1 && !is_class()) {
    // How full the ball is tells how large residuals really were.
    const double ratio = bound_ratio(mean.mean[k], mean.standard_error[k], plan_.clip);
    deviation_ = asked_.bound / (ratio * std::sqrt(static_cast<double>(k)));
    gain = clipping_gain(1, ratio);
  }
  // A device answers the gradient of its loss, which points away from where the coefficients should go.
  const double scale = -asked_.bound / gain;
  double spread = 0, noise = 0;
  for (std::size_t i = 0; i < k; ++i) {
    spread += std::pow(scale * mean.standard_error[i], 2) / static_cast<double>(k);
    noise += std::pow(scale * mean.noise_error[i], 2) / static_cast<double>(k);
  }
  const double variance = std::max(spread, noise);  // one for the whole cohort: single ones are too noisy as weights
  sampling_ = std::clamp(1 - noise / variance, 0.0, 1.0);
  for (std::size_t i = 0; i < k; ++i) {
    out.centre.push_back(is_class() ? 0 : centre_[out.feature[i]]);
    out.step.push_back(scale * mean.mean[i]);
    out.variance.push_back(variance);
  }
  return out;
}

/// Steps that are as long as the whole residual show that it is mostly signal. The residual was then larger than the
/// known noise, by that signal.
double LdpIht::own_stretch(const CohortSteps& cohort) const {
  double signal = 0, variance = 0;
  for (std::size_t i = 0; i < cohort.feature.size(); ++i) {
    const double excess = cohort.step[i] * cohort.step[i] - cohort.variance[i];
    signal += excess;
    variance += 2 * cohort.variance[i] * (cohort.variance[i] + 2 * std::max(0.0, excess));
  }
  const double square = deviation_ * deviation_;
  const double share = std::min(k_signal_share_max, (signal - std::sqrt(variance)) / square);
  if (!(share > 0)) return 1;
  return std::clamp(noise_ / std::sqrt(1 - share) / deviation_, 1.0, k_own_stretch_max);
}

void LdpIht::step_as_the_paper(const CohortSteps& cohort) {
  for (std::size_t i = 0; i < cohort.feature.size(); ++i) centre_[cohort.feature[i]] += plan_.step * cohort.step[i];
  std::vector<double> sizes;
  for (const double c : centre_) sizes.push_back(std::abs(c));
  const std::size_t kept = std::min<std::size_t>(terms_.sparsity, sizes.size());
  std::ranges::nth_element(sizes, sizes.begin() + static_cast<std::ptrdiff_t>(kept - 1), std::greater<>());
  const double least = sizes[kept - 1];
  for (double& c : centre_) c = std::abs(c) < least ? 0 : c;
  const double length = std::sqrt(square_sum(centre_)), most = std::sqrt(expected_square(terms_));
  if (length > most) {
    for (double& c : centre_) c *= most / length;
  }
  history_.add(cohort);
}

/// The next centre: the posterior mean. It may exceed the study's bound, which may be wrong too.
void LdpIht::recentre() {
  const AveragedPosterior& now = history_.posterior();
  double left = 0;
  for (std::size_t j = 0; j < centre_.size(); ++j) {
    centre_[j] = now.expected(j);
    left += now.loss(j);
  }
  const double most = k_over_norm * terms_.norm * std::sqrt(signal_ / expected_square(terms_)),
               length = std::sqrt(square_sum(centre_));
  if (length > most) {
    for (double& c : centre_) c *= most / length;
  }
  left_ = std::clamp(left, k_left_min * signal_, signal_);
  if (!is_class() && plan_.answer == ItemAnswer::block)
    deviation_ = std::hypot(std::sqrt(k_left_allowance * left_), noise_);
  if (terms_.samples > 1 && !is_class() && !terms_.correlated) deviation_ = std::hypot(std::sqrt(left_), noise_);
}

double LdpIht::precision_of_next(std::size_t coordinates) const {
  // Blocks have at most 24 coordinates; directions of all sizes are about equally efficient.
  const std::size_t key =
      plan_.answer == ItemAnswer::block ? std::min<std::size_t>(coordinates, k_block_width_max) : terms_.features;
  auto at = efficiency_.find(key);
  if (at == efficiency_.end()) {
    const Result<double> efficiency = item_efficiency(terms_, plan_.answer, key);
    at = efficiency_.emplace(key, efficiency ? efficiency.value() : 0).first;
  }
  const double devices = plan_.shares[closed()] * static_cast<double>(terms_.devices),
               k = static_cast<double>(coordinates);
  const double cost = is_class() ? 1 : plan_.clip / clipping_gain(1, plan_.clip);
  return devices * at->second / (cost * cost * deviation_ * deviation_ * k);
}

void LdpIht::prepare_candidates() {
  candidates_ = next_candidates(
      history_, [this](std::size_t k) { return precision_of_next(k); }, (terms_.sparsity + 1) / 2, centre_room(terms_));
  std::vector<double> kept(centre_.size());
  for (const std::uint32_t j : candidates_) kept[j] = centre_[j];
  centre_ = std::move(kept);
}

}  // namespace sotto::analyzer
