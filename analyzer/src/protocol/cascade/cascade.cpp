// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "cascade.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "sotto/local/least_squares.hpp"

namespace sotto::analyzer {
namespace {

constexpr double k_unknown = std::numeric_limits<double>::infinity();
constexpr double k_any_evidence = k_unknown;
// A variable with a larger probability stays a candidate; above k_matters it is part of the centre and of the model.
constexpr double k_stays = 0.02;
// The same for a variable that was only voted for and not yet estimated.
constexpr double k_stays_unasked = 0.03;
// If answers fill the ball too little or too much, the study's guess of the noise was wrong; by at least two standard
// errors.
constexpr double k_pole_doubt = 2, k_pole_high = 0.45, k_pole_low = 0.20, k_noise_grows = 1.5, k_noise_shrinks = 0.5;
// For the final model votes count for less (they chose the candidates), and an estimate must exceed its own error.
constexpr double k_last_evidence = 2, k_errors_min = 2.5;
// The distance of the centre from the truth tends to be smaller than the worst case.
constexpr double k_left_share = 0.7;
// Answers with a mean square of R^2 are clipped at R: they lose this share of their length, divided by sqrt(k)
// (measured on normal vectors).
constexpr double k_clipping_loss = 0.28;
// Clipped at 0.8 R nearly all of them lie on the sphere, where a report has the least noise for its length. How much of
// a mean is then left hardly depends on the answers. The first cohort that solves keeps to R: what is left of the ball
// tells whether the noise was guessed right.
constexpr double k_reach = 0.8, k_reach_kept = 0.98, k_reach_few = 0.1;
// A cohort that is smaller than this says nothing about its own spread.
constexpr std::uint64_t k_spread_min = 4;

}  // namespace

Cascade::Cascade(const RegressionTerms& terms, Schedule schedule, const Manifest& manifest)
    : Stepped(terms, std::move(schedule), manifest),
      prior_{static_cast<double>(terms.sparsity), static_cast<double>(terms.features), terms.norm},
      means_(terms.protocol->learned == Learned::mean),
      weighted_(terms.features),
      precision_(terms.features),
      score_(terms.features),
      evidence_(terms.features),
      centre_(terms.features),
      noise_(terms.noise * terms.noise),
      left_(terms.norm * terms.norm) {}

DirectionQuestion Cascade::next_question() {
  const double k = static_cast<double>(candidates_.size()), m = terms_.samples;
  const bool solves = !means_ && k <= std::min<double>(k_least_squares_columns_max, m / 4);
  DirectionQuestion out;
  out.answer = means_ ? LocalAnswer::means : solves ? LocalAnswer::least_squares : LocalAnswer::gradient;
  // The mean square of an answer: the noise of the local estimate, and the distance of the centre.
  out.radius = std::sqrt(left_ + (means_   ? noise_ * k / m
                                  : solves ? noise_ * k / (m - k - 1)
                                           : (noise_ + left_) * k / m));
  is_short_ = !solves || has_solved_;
  has_solved_ = has_solved_ || solves;
  if (is_short_) out.radius *= k_reach;
  for (const std::uint32_t j : candidates_) out.centre.push_back({j, centre_[j]});
  return out;
}

Entries Cascade::known() const {
  Entries entries;
  for (std::uint32_t j = 0; j < terms_.features; ++j) {
    if (centre_[j] != 0) entries.push_back({j, centre_[j]});
  }
  return entries;
}

void Cascade::close_selection(const Selection& selection) {
  std::vector<double> score = selection.score;
  const auto known_already = static_cast<double>(std::ranges::count_if(centre_, [](double c) { return c != 0; }));
  SparsePrior rest = prior_;
  rest.variables = std::max(1.0, prior_.variables - known_already);
  for (std::size_t j = 0; j < score.size(); ++j) {
    if (centre_[j] != 0) score[j] = 0;
  }
  const std::vector<double> evidence = score_evidence(score, rest);
  for (std::size_t j = 0; j < score.size(); ++j) {
    if (centre_[j] != 0) continue;
    evidence_[j] = std::clamp(evidence_[j] + evidence[j], k_evidence_low, k_evidence_high);
    score_[j] += score[j];
  }
}

/// Corrects the guess of the noise: the mean distance of the answers from the ball's boundary shows how large they are.
void Cascade::correct_noise(const DirectionAnswer& answer) {
  const double held = 1 - empty_.share();
  const double pole = (answer.pole - empty_.share()) / held, error = k_pole_doubt * answer.pole_error;
  if (pole - error > k_pole_high) {
    noise_ *= std::max(k_noise_shrinks, 1 - (pole - error) * (pole - error));
  } else if (pole + error < k_pole_low) {
    noise_ *= k_noise_grows;
  }
}

void Cascade::close_estimation(const DirectionAnswer& answer) {
  if (answer.used < k_spread_min) return;
  const double k = static_cast<double>(asked_.centre.size());
  clipped_ = k_clipping_loss / std::sqrt(k);
  const double ridge = asked_.answer == LocalAnswer::least_squares ? k_local_ridge : 0;
  const double kept = is_short_ ? k_reach * k_reach_kept * (1 + k_reach_few / k) : 1 - clipped_;
  CohortEstimate cohort = cohort_estimate(asked_, answer, kept / (1 + ridge), clipped_, empty_);
  double variance = 0;
  for (const double e : cohort.standard_error) variance += e * e / static_cast<double>(cohort.feature.size());
  for (std::size_t i = 0; i < cohort.feature.size(); ++i) {
    weighted_[cohort.feature[i]] += cohort.value[i] / variance;
    precision_[cohort.feature[i]] += 1 / variance;
  }
  if (asked_.answer == LocalAnswer::least_squares && !is_short_) correct_noise(answer);
  if (is_last()) last_ = std::move(cohort);
}

Posterior Cascade::posterior(double most_evidence) const {
  std::vector<double> estimate(weighted_.size()), variance(weighted_.size(), k_unknown), evidence = evidence_;
  for (std::size_t j = 0; j < estimate.size(); ++j) {
    evidence[j] = std::min(evidence[j], most_evidence);
    if (precision_[j] == 0) continue;
    estimate[j] = weighted_[j] / precision_[j];
    variance[j] = 1 / precision_[j];
  }
  AveragedPosterior averaged = averaged_posterior(estimate, variance, evidence, prior_, SlabShapes::normal_or_alike);
  Posterior out{std::move(averaged.weight), std::vector<double>(estimate.size()), averaged.slab};
  for (std::size_t j = 0; j < estimate.size(); ++j) {
    if (precision_[j] > 0) out.mean[j] = out.weight[j] * averaged.mean[j];
  }
  return out;
}

/// The candidates and the centre of the next cohort.
void Cascade::prepare_step() {
  const Posterior now = posterior(k_any_evidence);
  const bool first = closed() == 1;
  std::vector<std::uint32_t> order(terms_.features);
  std::iota(order.begin(), order.end(), 0u);
  const auto rank = [&](std::uint32_t j) { return first ? score_[j] : now.weight[j] + 1e-6 * score_[j]; };
  std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) { return rank(a) > rank(b); });
  const auto later = std::find_if(schedule_.steps.begin() + static_cast<std::ptrdiff_t>(closed()),
                                  schedule_.steps.end(), [](const Step& s) { return s.kind == StepKind::estimate; });
  std::size_t size = later->candidates;
  if (!first) {
    std::size_t likely = 0, sure = 0;
    for (std::uint32_t j = 0; j < terms_.features; ++j) {
      likely += now.weight[j] > (precision_[j] > 0 ? k_stays : k_stays_unasked);
      sure += now.weight[j] > k_matters && precision_[j] > 0;
    }
    const std::size_t most = std::max(size, std::min<std::size_t>(schedule_.steps[1].candidates, sure));
    size = std::clamp(likely, std::min<std::size_t>(most, (terms_.sparsity + 1) / 2), most);
  }
  candidates_.assign(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(size));
  std::ranges::sort(candidates_);
  std::ranges::fill(centre_, 0.0);
  if (first) return;
  double left = 0;
  for (const std::uint32_t j : candidates_) {
    const bool is_known = now.weight[j] > k_matters && precision_[j] > 0;
    if (is_known) centre_[j] = now.mean[j];
    left += is_known ? now.slab / (1 + now.slab * precision_[j]) : now.weight[j] * now.slab;
  }
  left_ = std::min(terms_.norm * terms_.norm, k_left_share * left);
}

Model Cascade::model() const {
  Model out = begun();
  const Posterior now = posterior(k_last_evidence);
  if (last_) {
    for (std::size_t i = 0; i < last_->feature.size(); ++i) out.coefficients.push_back(coefficient_of(*last_, i));
    confirm(out);
  }
  const auto matters = [&](std::uint32_t j) {
    return !empty_.is_most() && now.weight[j] > k_matters && precision_[j] > 0 &&
           std::abs(weighted_[j]) > k_errors_min * std::sqrt(precision_[j]);
  };
  for (Coefficient& c : out.coefficients) c.estimate = matters(c.feature) ? now.mean[c.feature] : 0;
  for (std::uint32_t j = 0; j < terms_.features; ++j) {
    // Estimated well enough before the last cohort and not asked about again: an estimate without an interval.
    if (!matters(j) || std::ranges::find(out.coefficients, j, &Coefficient::feature) != out.coefficients.end())
      continue;
    Coefficient c;
    c.feature = j;
    c.estimate = now.mean[j];
    c.standard_error = c.low = c.high = c.last_cohort = std::numeric_limits<double>::quiet_NaN();
    out.coefficients.push_back(c);
  }
  keep_support(out);
  describe(now, out);
  return out;
}

/// The predicted error, and what the estimates say of themselves: the probability that the support is right, and what the
/// last cohort confirms.
void Cascade::describe(const Posterior& now, Model& model) const {
  const double s = terms_.sparsity, size = static_cast<double>(model.coefficients.size());
  double asked_weight = 0, kept_weight = 0, length = 0, variance = 0, missed = 0;
  for (std::uint32_t j = 0; j < terms_.features; ++j) {
    if (precision_[j] == 0) continue;
    const double w = now.weight[j], e = weighted_[j] / precision_[j];
    const double shrunk = now.slab / (1 + now.slab * precision_[j]), part = shrunk * precision_[j];
    asked_weight += w;
    if (std::ranges::find(model.coefficients, j, &Coefficient::feature) != model.coefficients.end()) {
      kept_weight += w;
      variance += w * shrunk + w * (1 - w) * e * e;
      length += now.mean[j] * now.mean[j];
    } else {
      missed += w * (shrunk + e * e * part * part);
    }
  }
  // Variables that were not asked about are assumed to be as large as those in the model.
  const double usual = size > 0 ? length / size : prior_.norm * prior_.norm / s;
  missed += std::max(0.0, s - asked_weight) * usual;
  const double sampling = last_ ? last_->sampling_share : 0;
  model.error = {variance * (1 - sampling) + missed, variance * sampling, clipped_ * clipped_ * left_};
  const double error = variance + missed;
  const double f1 = size > 0 ? 2 * kept_weight / (size + std::max(s, asked_weight)) : 0;
  const auto found = static_cast<double>(std::ranges::count_if(model.coefficients, &Coefficient::found));
  model.why_verdict =
      !schedule_.hopeless.empty() ? schedule_.hopeless
      : empty_.is_most()          ? std::string(k_most_are_empty)
      : size == 0
          ? fmt::format("no variable stands out of the noise of {} devices at {:g} nats", terms_.devices, terms_.nats())
          : fmt::format(
                "{} variable{} chosen, {} confirmed by the last cohort; expected F1 {:.2f}, squared error {:.2g} "
                "beside a squared length of {:.2g}",
                size, size == 1 ? "" : "s", found, f1, error, length);
  if (size > 0 && last_ && asked_.answer == LocalAnswer::gradient)
    model.why_verdict += "; the last cohort answered gradients, so intervals assume nearly uncorrelated features";
  if (size > 0 && terms_.correlated)
    model.why_verdict += fmt::format(
        "; features are correlated: a found variable stands for itself or for a neighbour that was not asked about, "
        "and "
        "intervals are those of the regression on the {} that were",
        asked_.centre.size());
}

}  // namespace sotto::analyzer
