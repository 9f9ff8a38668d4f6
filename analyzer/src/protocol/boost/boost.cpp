// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "boost.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>
#include <boost/math/distributions/normal.hpp>

#include "../rounds/last_cohort.hpp"

namespace sotto::analyzer {
namespace {

// The norm of all answers must exceed that of noise by this many standard deviations before a step is taken, and before
// it is taken in full; in between it is taken in part.
constexpr double k_no_step = 1, k_full_step = 3;
constexpr std::uint64_t k_step_min = 2;

}  // namespace

Boost::Boost(const RegressionTerms& terms, Schedule schedule, const Manifest& manifest)
    : Stepped(terms, std::move(schedule), manifest), variance_(terms.features) {}

DirectionQuestion Boost::next_question() { return {LocalAnswer::gradient, step().radius, chosen_}; }

/// Adds the strongest variables that are not chosen yet.
void Boost::close_selection(const Selection& selection) {
  std::vector<double> strength = selection.raw;
  for (const Entry& entry : chosen_) strength[entry.feature] = -std::numeric_limits<double>::infinity();
  std::vector<std::uint32_t> order(terms_.features);
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) { return strength[a] > strength[b]; });
  for (std::uint32_t i = 0; i < step().candidates; ++i) chosen_.push_back({order[i], 0});
  std::ranges::sort(chosen_, {}, &Entry::feature);
}

double Boost::significance() const noexcept { return spread_ > 0 ? excess_ / std::sqrt(spread_) : 0; }

void Boost::close_estimation(const DirectionAnswer& answer) {
  if (answer.used < k_step_min) return;
  const double k = static_cast<double>(chosen_.size()), held = 1 - empty_.share();
  double length = 0, spread = 0, noise = 0;
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    length += std::pow(answer.mean[i] / held, 2);
    spread += std::pow(answer.standard_error[i] / held, 2) / k;
    noise += std::pow(answer.noise_error[i] / held, 2) / k;
  }
  const double variance = std::max(spread, noise);  // the spread of a small cohort may be too small by chance
  excess_ += length / variance - k;
  spread_ += 2 * k;
  const double part = std::clamp((significance() - k_no_step) / (k_full_step - k_no_step), 0.0, 1.0);
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    chosen_[i].value += part * answer.mean[i] / held;
    variance_[chosen_[i].feature] += part * part * variance;
  }
  noise_ += k * part * part * noise;
  sampling_ += k * part * part * std::max(0.0, spread - noise);
}

Model Boost::model() const {
  Model out = begun();
  const boost::math::normal normal;
  for (const Entry& entry : chosen_) {
    if (entry.value == 0 || empty_.is_most()) continue;
    Coefficient c;
    c.feature = entry.feature;
    c.estimate = entry.value;
    // The steps end before the least-squares solution, by an unknown amount, so there is no interval for the
    // coefficient. But the noise in it is known.
    c.standard_error = c.low = c.high = c.last_cohort = std::numeric_limits<double>::quiet_NaN();
    c.p_value = 2 * cdf(complement(normal, std::abs(entry.value) / std::sqrt(variance_[entry.feature])));
    out.coefficients.push_back(c);
  }
  confirm(out);
  keep_support(out);
  out.error = {noise_, sampling_, 0};
  describe(out);
  return out;
}

void Boost::describe(Model& model) const {
  const bool is_empty = model.coefficients.empty();
  const auto found = std::ranges::count_if(model.coefficients, &Coefficient::found);
  model.why_verdict = !schedule_.hopeless.empty() ? schedule_.hopeless
                      : empty_.is_most()          ? std::string(k_most_are_empty)
                      : is_empty ? fmt::format("what {} devices answer at {:g} nats is not longer than noise",
                                               terms_.devices, terms_.nats())
                                 : fmt::format(
                                       "answers are {:.1f} standard deviations longer than noise makes them; {} of {} "
                                       "variables stand out of their own noise, the others only help to predict",
                                       significance(), found, model.coefficients.size());
}

}  // namespace sotto::analyzer
