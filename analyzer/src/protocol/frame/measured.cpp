// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/protocol/frame/measured.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <boost/math/distributions/students_t.hpp>

namespace sotto::analyzer {
namespace {

// A gain below this is none that anybody would use, however well it is known.
constexpr double k_gain_of_use = 0.02;
// The chance that a model without any gain is called learned, that one of use is called useless, and that either end of
// an interval is wrong.
constexpr double k_falsely_learned = 0.03, k_falsely_useless = 0.05, k_two_sided = 0.025;

/// How many standard errors a bound is away that is wrong with this probability, for so many reports.
double reach(double chance, std::uint64_t reports) {
  const double freedom = std::max(1.0, static_cast<double>(reports) - 1);
  return quantile(complement(boost::math::students_t(freedom), chance));
}

void put_bounds(const Measured& gain, Validation& out) {
  const double two = reach(k_two_sided, gain.reports) * gain.error;
  out.gain = gain.value;
  out.gain_low = gain.value - two;
  out.gain_high = gain.value + two;
  out.least = gain.value - reach(k_falsely_learned, gain.reports) * gain.error;
  out.most = gain.value + reach(k_falsely_useless, gain.reports) * gain.error;
}

/// A model of stated readings that is told to lose: most often offsets are not what the study states, and its variables
/// make up for them. Of classes such a model does not lose, because it tells all rows the larger class, and what it loses
/// through a cosine is bounded: there it has to win.
bool is_refuted(const Model& model) {
  const Validation& v = model.validation;
  const bool has_to_win = v.classes || model.link == "cosine";
  return v.against == Against::all && (has_to_win ? v.least <= 0 : v.gain_high <= 0);
}

/// How much a model of numbers loses cannot be told: answers were clipped for a model of use.
void refute(Model& model) {
  if (!model.validation.classes && model.validation.gain_high <= 0) {
    model.validation.gain_low = -1;
    model.validation.gain_high = 0;
  }
  for (Coefficient& c : model.coefficients) {
    c.found = false;
    c.standard_error = c.low = c.high = std::numeric_limits<double>::quiet_NaN();
    c.p_value = 1;
  }
}

std::string sentence(const Validation& v, bool is_out) {
  if (v.against == Against::zero) {
    return fmt::format("is nearer to the mean than zero is, by {:.2f} of its squared length ({:.2f} to {:.2f})", v.gain,
                       v.gain_low, v.gain_high);
  }
  const bool own = v.against == Against::device;
  const std::string nothing_found =
      !is_out ? ""
              : fmt::format("{}, so nothing in it is called found and no interval stands",
                            v.gain_high <= 0 && !v.classes ? "" : ", which a wrong offset alone may do");
  if (v.classes) {
    return fmt::format(
        "tells {:.1f} % more rows right than the {} does ({:.1f} to {:.1f}), with an error of {:.1f} % ({:.1f} to "
        "{:.1f}){}",
        100 * v.gain, own ? "device's larger class" : "larger class of all", 100 * v.gain_low, 100 * v.gain_high,
        100 * std::max(0.0, v.error), 100 * v.error_low, 100 * v.error_high, nothing_found);
  }
  if (is_out && v.gain_high <= 0) return fmt::format("predicts worse than the mean of all{}", nothing_found);
  return fmt::format("predicts better than the {} by R^2 = {:.2f} ({:.2f} to {:.2f}){}",
                     own ? "device's own mean" : "mean of all", v.r2(), v.low(), v.high(), nothing_found);
}

}  // namespace

Validation gain_of(const Measured& gain, double limit) {
  Validation out;
  out.devices = gain.reports;
  put_bounds(gain, out);
  out.gain_low = std::max(-limit, out.gain_low);
  out.gain_high = std::min(limit, out.gain_high);
  return out;
}

Validation number_gain_of_all(const Measured& better, const Measured& variance) {
  const double r2 = better.value / variance.value;
  Validation out;
  out.against = Against::all;
  out.devices = better.reports + variance.reports;
  put_bounds({r2, std::hypot(better.error, r2 * variance.error) / variance.value, better.reports}, out);
  // (A - B) / (A + B) for A = variance, B = A - better. It rises with R^2, so bounds stay bounds.
  for (double* const r : {&out.gain, &out.gain_low, &out.gain_high, &out.least, &out.most})
    *r = std::min(*r, 1.0) / (2 - std::min(*r, 1.0));
  return out;
}

Validation class_gain_of_all(const Measured& upper, const Measured& right) {
  Validation out;
  out.against = Against::all;
  out.classes = true;
  out.devices = upper.reports + right.reports;
  const double size = std::abs(upper.value);
  put_bounds(
      {(right.value - size) / 2, std::hypot(upper.error, right.error) / 2, std::min(upper.reports, right.reports)},
      out);
  const double without = std::sqrt(std::max(0.0, size * size - upper.error * upper.error));
  out.gain_high += (size - without) / 2;
  out.most += (size - without) / 2;
  put_class_error(right, out);
  return out;
}

void put_class_error(const Measured& right, Validation& out) {
  const double half = reach(k_two_sided, right.reports) * right.error / 2;
  out.error = (1 - right.value) / 2;
  out.error_low = std::clamp(out.error - half, 0.0, 1.0);
  out.error_high = std::clamp(out.error + half, 0.0, 1.0);
}

void judge(std::string_view unmeasured, Model& model) {
  const Validation& v = model.validation;
  if (model.coefficients.empty() && model.function.inputs.empty()) {
    model.verdict = Verdict::cannot_learn;
    return;
  }
  if (v.devices == 0) {
    model.verdict = Verdict::not_measured;
    model.why_verdict = fmt::format("nothing was measured: {}; {}", unmeasured, model.why_verdict);
    return;
  }
  const bool is_out = is_refuted(model);
  if (is_out) refute(model);
  const bool is_sound = v.least > 0 && v.gain >= k_gain_of_use;
  model.verdict = v.most < k_gain_of_use ? Verdict::cannot_learn : is_sound ? Verdict::learned : Verdict::uncertain;
  // What the protocol says of its own estimates does not hold where these are refuted.
  const std::string of_itself = is_out ? std::string() : fmt::format("; {}", model.why_verdict);
  model.why_verdict =
      fmt::format("{}, measured on {} devices that taught nothing{}", sentence(v, is_out), v.devices, of_itself);
}

Measured pooled(const Measured& a, const Measured& b) {
  const double of_a = 1 / (a.error * a.error), of_b = 1 / (b.error * b.error), sum = of_a + of_b;
  return {(a.value * of_a + b.value * of_b) / sum, 1 / std::sqrt(sum), a.reports + b.reports};
}

}  // namespace sotto::analyzer
