// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "boost.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>
#include <boost/math/distributions/normal.hpp>

#include "clipping_gain.hpp"

namespace sotto::analyzer {
namespace {

// The norm of all answers must exceed that of noise by this many standard deviations before a step is taken, and before
// it is taken in full; in between it is taken in part.
constexpr double k_no_step = 1, k_full_step = 3;
constexpr std::uint64_t k_step_min = 2, k_spread_min = 4;
// The path stops short of the least-squares solution. The radius of the last question has room for a part of the length
// that the path went.
constexpr double k_short_of = 0.5;
// A variable stands out if it is as many standard deviations of its noise away from zero: of 64 that do not matter one
// does by chance.
constexpr double k_stands_out = 2.5;

}  // namespace

Boost::Boost(const RegressionTerms& terms, Schedule schedule, const Manifest& manifest)
    : Stepped(terms, std::move(schedule), manifest), variance_(terms.features) {}

DirectionQuestion Boost::next_question() {
  if (is_last() && schedule_.no_intervals.empty()) {
    if (std::optional<DirectionQuestion> question = interval_question()) return *question;
  }
  return {LocalAnswer::gradient, step().radius, chosen_};
}

Entries Boost::outstanding() const {
  Entries out;
  std::ranges::copy_if(chosen_, std::back_inserter(out), [&](const Entry& e) {
    return std::abs(e.value) > k_stands_out * std::sqrt(variance_[e.feature]);
  });
  return out;
}

/// Least squares on the variables that stand out, around their coefficients. None if they are more than a device's rows
/// allow: a regression that leaves out variables which matter would be about other coefficients.
std::optional<DirectionQuestion> Boost::interval_question() const {
  DirectionQuestion out{LocalAnswer::least_squares, 0, outstanding()};
  if (out.centre.empty() || out.centre.size() > step().candidates) return std::nullopt;
  double left = 0;
  for (const Entry& e : out.centre) left += variance_[e.feature] + std::pow(k_short_of * e.value, 2);
  const double k = static_cast<double>(out.centre.size());
  out.radius = std::sqrt(left + terms_.noise * terms_.noise * k / (terms_.samples - k - 1));
  return out;
}

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
  if (asked_.answer == LocalAnswer::least_squares) {
    if (answer.used < k_spread_min) return;
    const double held = 1 - empty_.share();
    const ClippingGain gain =
        clipping_gain(asked_.centre.size(), (answer.pole - empty_.share()) / held, answer.pole_error / held);
    last_ = cohort_estimate(asked_, answer, gain.kept / (1 + k_local_ridge), gain.doubt, empty_);
    return;
  }
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
    // The steps end before the least-squares solution, by an unknown amount, so they have no interval for the
    // coefficient. But the noise in it is known.
    c.standard_error = c.low = c.high = c.last_cohort = std::numeric_limits<double>::quiet_NaN();
    c.p_value = 2 * cdf(complement(normal, std::abs(entry.value) / std::sqrt(variance_[entry.feature])));
    out.coefficients.push_back(c);
  }
  confirm(out);
  const auto stand_out = static_cast<std::size_t>(std::ranges::count_if(out.coefficients, &Coefficient::found));
  if (last_) use_last_cohort(out);
  keep_support(out);
  out.error = {noise_, sampling_, 0};
  describe(stand_out, out);
  return out;
}

/// The path stops short by an amount that the last cohort shows. The model is a mixture of both: the path, and least
/// squares on S alone with as much weight as noise does not explain of their distance on S (positive-part James-Stein).
/// Found is then what that cohort confirms, because a variable may stand out of the path's noise only by going along with
/// one that matters.
void Boost::use_last_cohort(Model& model) const {
  Model asked;
  asked.level = model.level;
  double length = 0, variance = 0;
  for (std::size_t i = 0; i < last_->feature.size(); ++i) {
    asked.coefficients.push_back(coefficient_of(*last_, i));
    length += std::pow(last_->value[i] - asked_.centre[i].value, 2);
    variance += std::pow(last_->standard_error[i], 2);
  }
  const double kept = length > variance ? variance / length : 1;
  confirm(asked);
  for (Coefficient& c : model.coefficients) {
    c.found = false;
    c.estimate *= kept;
    const auto measured = std::ranges::find(asked.coefficients, c.feature, &Coefficient::feature);
    if (measured == asked.coefficients.end()) continue;
    measured->estimate = c.estimate + (1 - kept) * measured->last_cohort;
    c = *measured;
  }
}

void Boost::describe(std::size_t stand_out, Model& model) const {
  const bool is_empty = model.coefficients.empty();
  model.why_verdict = !schedule_.hopeless.empty() ? schedule_.hopeless
                      : empty_.is_most()          ? std::string(k_most_are_empty)
                      : is_empty ? fmt::format("what {} devices answer at {:g} nats is not longer than noise",
                                               terms_.devices, terms_.nats())
                                 : fmt::format(
                                       "answers are {:.1f} standard deviations longer than noise makes them; {} of {} "
                                       "variables stand out of their own noise, the others only help to predict",
                                       significance(), stand_out, model.coefficients.size());
  if (is_empty) return;
  if (last_) {
    model.why_verdict += fmt::format(
        "; the last cohort confirms {} of the {} that it was asked about, with intervals for the regression on these",
        std::ranges::count_if(model.coefficients, &Coefficient::found), last_->feature.size());
  } else {
    model.why_verdict += "; there are no intervals: " + why_no_intervals();
  }
}

std::string Boost::why_no_intervals() const {
  if (!schedule_.no_intervals.empty()) return schedule_.no_intervals;
  if (asked_.answer == LocalAnswer::least_squares) return "too few devices answered";
  const std::size_t most = schedule_.steps.back().candidates, standing = outstanding().size();
  if (standing <= most) return "no variable stood out before the last cohort";
  return fmt::format("{} variables stand out, and {} rows of a device allow least squares on {}", standing,
                     terms_.samples, most);
}

}  // namespace sotto::analyzer
