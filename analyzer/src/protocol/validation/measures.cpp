// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "measures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sotto/analyzer/propose/window.hpp"
#include "sotto/local/link.hpp"

namespace sotto::analyzer {
namespace {

constexpr double k_q15_one = 32768;
constexpr double k_bound_min = 64 / k_q15_one;  // answers are whole numbers of Q15: not too few of them
// Bounds in standard deviations: of a target; of a fit whose centre is not known yet, at least; and of its centre, for
// every feature, where offsets are wrong and a model has made the most of them.
constexpr double k_target_bound = 3, k_fit_bound = 4, k_fit_around = 2, k_offset = 2;
// The gain of one row, in products of the deviations of target and fit, is clipped between these. The bound is wide enough
// that what it cuts off is at most this share of the standard error.
constexpr double k_product_min = 4, k_product_max = 16, k_cut_share = 0.25;
// Fits of correlated features may be longer than their coefficients say.
constexpr double k_correlated_fits = 1.5;
// How far the stated variance of a target may be off, as a share of it; and that of a target of which only its bound is
// known, as a share of the bound's square.
constexpr double k_stated_doubt = 0.5, k_variance_of_bound = 0.25, k_bound_doubt = 1;
// No more than half of the rows can be told better than the larger class tells them.
constexpr double k_class_gain_bound = 0.5;
constexpr double k_devices_differ = 0.1;  // the variance of devices' means, as a share of that of rows
constexpr double k_variance_min = 0.1, k_variance_min_of_bound = 0.004;  // of these: no estimate is trusted below

/// What a finished model would explain, were its features not correlated.
double square_of(const Model& model) {
  double square = 0;
  for (const Coefficient& c : model.coefficients) square += c.estimate * c.estimate;
  return square;
}

std::uint32_t to_q15(double value) {
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(std::lround(std::clamp(value, -2.0, 2.0) * k_q15_one)));
}

/// The bound of a target in full scales, and its variance before anything is measured.
double target_bound(const RegressionTerms& terms) {
  return terms.once ? terms.once->target_bound : std::min(1.0, k_target_bound * terms.target_spread() * terms.unit());
}
Measured stated_variance(const RegressionTerms& terms) {
  if (terms.once) {
    const double square = terms.once->target_bound * terms.once->target_bound;
    return {k_variance_of_bound * square, k_bound_doubt * square, 0};
  }
  const double square = std::pow(terms.target_spread() * terms.unit(), 2);
  return {square, k_stated_doubt * square, 0};
}

/// The standard deviation of a device's mean: that of its rows, and devices that differ.
double spread_of_means(const RegressionTerms& terms) {
  return terms.noise * std::sqrt(1.0 / std::max(1u, terms.samples) + k_devices_differ);
}

/// The share of the gain that a bound of k cuts off, for a normal target and fit; the largest over R^2 from 0.1 to 0.95
/// is within a fifth of this.
double cut_off(double k) { return 1.15 * std::exp(-0.49 * k); }

/// The bound of the gain of one row, in products of both deviations. One report has this deviation in units of its bound.
double product_bound(double report, double reports, double of_target, double of_fit) {
  const double of_one = report * of_target / (of_fit * std::sqrt(reports));  // relative to a gain of of_fit^2
  double k = k_product_min;
  while (k < k_product_max && cut_off(k) > k_cut_share * of_one * k) ++k;
  return k;
}

Measured variance_of(const RegressionTerms& terms, const Measured& answer) {
  const Measured stated = stated_variance(terms);
  Measured out = pooled(answer, stated);
  out.value = std::max(out.value, (terms.once ? k_variance_min_of_bound : k_variance_min) * stated.value);
  return out;
}

/// What a coefficient is worth in deviations of the target: behind a link that is nearly linear, its mean slope.
double slope_of(const RegressionTerms& terms) {
  return terms.link == TargetLink::cosine ? link_deviation(terms.link) / terms.link_unit : 1;
}

}  // namespace

MeasureKind measure_of(const RegressionTerms& terms) {
  const bool is_class = terms.kind == TargetKind::two_classes || terms.link == TargetLink::logistic;
  if (terms.protocol->asks_labels) return MeasureKind::held_out;
  if (terms.protocol->learned == Learned::function) return MeasureKind::none;
  if (terms.protocol->learned == Learned::mean) return MeasureKind::mean;
  if (terms.protocol->from_all_rows) return is_class ? MeasureKind::own_classes : MeasureKind::own_numbers;
  return is_class ? MeasureKind::all_classes : MeasureKind::all_numbers;
}

std::vector<double> measure_shares(MeasureKind kind) {
  switch (kind) {
    case MeasureKind::none:
    case MeasureKind::held_out: return {};
    case MeasureKind::own_numbers:
    case MeasureKind::mean: return {1};
    case MeasureKind::own_classes: return {0.6, 0.4};
    case MeasureKind::all_numbers: return {0.15, 0.15, 0.15, 0.55};
    case MeasureKind::all_classes: return {0.4, 0.6};
  }
  return {};
}

double gain_bound(double explained) {
  // Devices differ: room for two and a half times the gain of a typical one, e / (2 - e), on a coarse grid.
  const double wanted = 2.5 * explained / (2 - explained);
  return wanted <= 0.26 ? 0.25 : wanted <= 0.52 ? 0.5 : 1;
}

/// The standard deviation of a model's fits, in full scales, were its features not correlated.
double Measure::length_of_fits(const Model& model) const {
  const double length = slope_of(terms_) * std::sqrt(square_of(model));
  if (!terms_.once) return length * terms_.unit() * (terms_.correlated ? k_correlated_fits : 1);
  return length * terms_.once->row_norm / std::sqrt(static_cast<double>(terms_.features)) *
         (terms_.once->isotropic ? 1 : k_correlated_fits);
}

double Measure::fit_bound(const Model& model, double length) const {
  double sum = 0;
  for (const Coefficient& c : model.coefficients) sum += std::abs(c.estimate);
  const double moved = terms_.once ? 0 : k_offset * slope_of(terms_) * sum * terms_.unit();
  return std::max(k_fit_bound * length, moved + k_fit_around * length);
}

RoundDraft Measure::draft(const Model& model) {
  RoundDraft out;
  out.question = QuestionKind::value;
  out.recipe = Recipe::gain;
  const std::size_t step = answers_.size();
  bool takes_model = true;
  std::uint32_t measure = k_measure_gain;
  double target_centre = 0, fit_centre = 0, bound = 1;
  const double length = length_of_fits(model), slope = slope_of(terms_);
  switch (kind_) {
    case MeasureKind::own_numbers:
      // A model that explains more than the study assumed is given room, or its gain would be cut off.
      bound = gain_bound(std::clamp(std::max(terms_.explained(), square_of(model)), 0.0, 1.0));
      break;
    case MeasureKind::own_classes:
      measure = step == 0 ? k_measure_class_gain : k_measure_own_right;
      if (step == 0) bound = k_class_gain_bound;
      break;
    case MeasureKind::all_classes:
      measure = k_measure_right;
      takes_model = step > 0;
      fit_centre = takes_model ? 0 : -1;  // fits of 1 tell everybody the upper class
      break;
    case MeasureKind::mean:
      measure = k_measure_fit;
      bound = terms_.once
                  ? std::sqrt(square_of(model)) * terms_.once->row_norm
                  : (square_of(model) + k_target_bound * spread_of_means(terms_) * std::sqrt(square_of(model))) *
                        terms_.unit();
      break;
    case MeasureKind::all_numbers:
      if (step == 0) {
        // y^2 - (y - u)^2 is the target itself for u = 1/2 and y around -1/4.
        measure = k_measure_better;
        takes_model = false;
        target_centre = -0.25;
        fit_centre = -0.5;
        bound = target_bound(terms_);
        break;
      }
      target_centre = answers_[0].value;
      if (step == 1) {
        measure = k_measure_square;
        bound = std::pow(target_bound(terms_), 2);
      } else if (step == 2) {
        measure = k_measure_fit;
        bound = fit_bound(model, length);
      } else {
        measure = k_measure_better;
        fit_centre = answers_[2].value;
        const double deviation = std::sqrt(variance_of(terms_, answers_[1]).value);
        const Result<WindowProposal> window = propose_window(terms_.epsilon);
        const double report = window ? std::sqrt(window.value().worst_variance) : 1;
        const double reports = std::max(1.0, measure_shares(kind_)[step] * static_cast<double>(terms_.validators));
        const double k = product_bound(report, reports, deviation, std::max(length, k_bound_min));
        cut_off_ = cut_off(k);
        bound = k * length * deviation;
      }
      break;
    case MeasureKind::none:
    case MeasureKind::held_out: break;
  }
  bound_ = std::round(std::clamp(bound, k_bound_min, 1.0) * k_q15_one) / k_q15_one;
  out.parameter[recipe::gain::bound] = to_q15(bound_);
  out.parameter[recipe::gain::measure] = measure;
  out.parameter[recipe::gain::target_centre] = to_q15(target_centre);
  out.parameter[recipe::gain::fit_centre] = to_q15(fit_centre);
  if (terms_.link == TargetLink::logistic) out.link = static_cast<std::uint8_t>(LinkKind::logistic);
  for (const Coefficient& c : model.coefficients)
    out.model.push_back({c.feature, takes_model ? slope * c.estimate : 0});
  std::ranges::sort(out.model, {}, &Entry::feature);
  if (!takes_model) out.model.resize(1);
  return out;
}

void Measure::record(const Measured& mean) {
  answers_.push_back({bound_ * mean.value, bound_ * mean.error, mean.reports});
}

Validation Measure::result(const Model& model) const {
  // Devices without rows answer 0: what is measured of a device is that of the others.
  const double held = 1 - model.empty_share;
  const auto of_held = [held](const Measured& m) { return Measured{m.value / held, m.error / held, m.reports}; };
  Validation out;
  switch (kind_) {
    case MeasureKind::own_numbers: out = gain_of(of_held(answers_[0]), 1); break;
    case MeasureKind::own_classes:
      out = gain_of(of_held(answers_[0]), 1);
      out.classes = true;
      put_class_error(of_held(answers_[1]), out);
      break;
    case MeasureKind::all_classes: out = class_gain_of_all(of_held(answers_[0]), of_held(answers_[1])); break;
    case MeasureKind::all_numbers: {
      // Only the product of both errors of the centres biases the gain upwards. It is counted as noise.
      Measured better = answers_[3];
      // So is what the bound cuts off.
      better.error = std::hypot(better.error, 2 * answers_[0].error * answers_[2].error, cut_off_ * better.value);
      out = number_gain_of_all(better, variance_of(terms_, answers_[1]));
      break;
    }
    case MeasureKind::mean: {
      // A model in standard deviations, and fits in full scales.
      const double square = square_of(model) * (terms_.once ? 1 : terms_.unit());
      const Measured fit = of_held(answers_[0]);
      out = gain_of({2 * fit.value / square - 1, 2 * fit.error / square, fit.reports},
                    std::numeric_limits<double>::infinity());
      out.against = Against::zero;
      break;
    }
    case MeasureKind::none:
    case MeasureKind::held_out: break;
  }
  out.devices = 0;
  for (const Measured& answer : answers_) out.devices += answer.reports;
  out.bound = kind_ == MeasureKind::own_numbers ? bound_ : kind_ == MeasureKind::own_classes ? k_class_gain_bound : 0;
  return out;
}

}  // namespace sotto::analyzer
