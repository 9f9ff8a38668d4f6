// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <boost/math/distributions/normal.hpp>

#include "../frame/plan_parts.hpp"
#include "sotto/analyzer/channel/epsilon.hpp"
#include "sotto/analyzer/channel/spec_check.hpp"
#include "sotto/local/samples.hpp"
#include "sotto/spec/gaussian_points.hpp"

namespace sotto::analyzer {
namespace {

// More outcomes reduce the variance by less than 1 % below 8 nats.
constexpr std::uint32_t k_outcomes_max = 32;
// Grid steps from 0 to the bound: rounding to them is far below the noise.
constexpr std::uint32_t k_grid_radius = 64;
constexpr std::size_t k_law_points = 64;
constexpr double k_misstated = 1.2, k_features_doubt = 0.15, k_room = 1.1;

/// Equally likely answers of a normal target, clipped and relative to the bound.
using Answers = std::array<double, k_law_points>;
Answers normal_answers(double deviations_of_bound) {
  const boost::math::normal law;
  Answers out;
  for (std::size_t i = 0; i < k_law_points; ++i)
    out[i] = std::clamp(quantile(law, (static_cast<double>(i) + 0.5) / k_law_points) / deviations_of_bound, -1.0, 1.0);
  return out;
}

template <class Law>
double mean_variance(const Law& law, const Answers& answers) {
  double sum = 0;
  for (const double x : answers) sum += law.variance(x);
  return sum / k_law_points;
}

/// The window with the least variance for these answers, with at least three outcomes, so that their shares can be
/// checked against a law.
Result<AnySpec> best_window(EpsilonNano epsilon, const Answers& answers) {
  std::optional<WindowSpec> best;
  double least = std::numeric_limits<double>::infinity();
  for (std::uint32_t outcomes = 3; outcomes <= k_outcomes_max; ++outcomes) {
    for (std::uint32_t width = 1; width < outcomes; ++width) {
      WindowSpec spec{epsilon, outcomes, width, 0};
      if (derive(spec) != Status::ok || !check_spec(spec).ok()) continue;
      const double variance = mean_variance(WindowLaw{spec}, answers);
      if (variance < least) {
        least = variance;
        best = spec;
      }
    }
  }
  if (!best) return spec_error(Status::bad_epsilon, WindowSpec::k_stem, std::to_string(epsilon) + " nano-nats");
  return AnySpec{*best};
}

std::string certified_text(EpsilonNano epsilon) {
  std::string text;
  for (const GaussianPoint& point : k_gaussian_points) {
    if (point.epsilon_nano == epsilon) text += (text.empty() ? "" : ", ") + delta_text(point.delta);
  }
  return text.empty() ? "write epsilon = 0.5, 1, 2, 4 or 8" : "write one of the certified deltas " + text;
}

Result<AnySpec> spec_of(LabelWay way, const RegressionTerms& terms, const Answers& answers) {
  const auto derived = [](auto spec) -> Result<AnySpec> {
    if (const Status s = derive(spec); s != Status::ok) return spec_error(s, decltype(spec)::k_stem, spec_text(spec));
    if (const auto good = check_spec(spec); !good) return good.error();
    return AnySpec{spec};
  };
  switch (way) {
    case LabelWay::one_bit: return derived(WindowSpec{terms.epsilon, 2, 1, 0});
    case LabelWay::laplace: return derived(LaplaceSpec{terms.epsilon, k_grid_radius, 0});
    case LabelWay::gaussian: {
      GaussianSpec spec{terms.epsilon, terms.delta, k_grid_radius, 0, 1};
      if (derive(spec) == Status::uncertified_point) {
        return Error{"study.bad_delta", "Gaussian noise is certified for some pairs of epsilon and delta only",
                     fmt::format("epsilon {}, delta {}", nats_text(terms.epsilon), delta_text(terms.delta)),
                     certified_text(terms.epsilon)};
      }
      return derived(spec);
    }
    default: return best_window(terms.epsilon, answers);
  }
}

struct Candidate {
  LabelWay way;
  AnySpec spec;
  double variance;
};

Result<Candidate> candidate(LabelWay way, const RegressionTerms& terms, const Answers& answers) {
  Result<AnySpec> spec = spec_of(way, terms, answers);
  if (!spec) return spec.error();
  const Result<ScalarLaw> law = ScalarLaw::of(spec.value());
  if (!law) return law.error();
  return Candidate{way, std::move(spec).value(), mean_variance(law.value(), answers)};
}

/// The channel with the least variance. One bit is excluded if a law is declared, because the law could not be checked.
Result<Candidate> choose(const RegressionTerms& terms, const Answers& answers, std::string& why) {
  if (terms.label != LabelWay::automatic) {
    why = "the study asks for it";
    return candidate(terms.label, terms, answers);
  }
  std::optional<Candidate> best;
  std::optional<Error> refused;
  for (const LabelWay way : {LabelWay::window, LabelWay::one_bit, LabelWay::laplace, LabelWay::gaussian}) {
    if ((way == LabelWay::one_bit && terms.target_is_normal) || (way == LabelWay::gaussian && terms.delta == 0))
      continue;
    Result<Candidate> made = candidate(way, terms, answers);
    if (!made) {
      if (!refused) refused = made.error();
      continue;
    }
    if (!best || made.value().variance < best->variance) best = std::move(made).value();
  }
  if (!best) return *refused;
  why = fmt::format("of the ways that epsilon {} and delta {} allow{} it has the least variance",
                    nats_text(terms.epsilon), delta_text(terms.delta),
                    terms.target_is_normal ? " and that can check the target's law" : "");
  return *best;
}

}  // namespace

Result<LabelPlan> plan_labels(const RegressionTerms& terms) {
  LabelPlan plan;
  // A class is -1 or 1; clipping it would only lose information.
  const bool is_class = terms.link == TargetLink::logistic;
  const double spread = is_class ? 1 / terms.link_unit : terms.target_spread();
  const double wanted = (is_class ? 1 : terms.target_is_normal ? k_narrow_clip : k_wide_clip) * spread * terms.unit();
  plan.bound_q15 = static_cast<std::uint32_t>(std::clamp(std::round(wanted * 32768), 1.0, 32768.0));
  plan.bound = plan.bound_q15 / 32768.0 / terms.unit();
  const Answers answers = normal_answers(plan.bound / spread);
  std::string why;
  Result<Candidate> chosen = choose(terms, answers, why);
  if (!chosen) return chosen.error();
  plan.way = chosen.value().way;
  plan.spec = std::move(chosen.value().spec);
  plan.variance = chosen.value().variance * plan.bound * plan.bound;
  plan.second_moment = plan.variance;
  for (const double x : answers) plan.second_moment += x * x * plan.bound * plan.bound / k_law_points;

  const double signal =
      is_class ? terms.norm : std::sqrt(std::max(spread * spread - terms.noise * terms.noise, 1e-6 * spread * spread));
  plan.line = plan.response(terms).line(signal);
  // A declared law determines the norm of the coefficients; a tenth is added for their own variation.
  plan.radius =
      terms.target_is_normal && !terms.correlated && !is_class ? std::min(terms.norm, k_room * signal) : terms.norm;
  // The target's deviation may be misstated by a fifth, and features need not be normal, for which alone the gain is
  // the same for all coefficients.
  const ClippedResponse misstated(terms, plan.bound, k_misstated * terms.noise);
  plan.gain_doubt = std::hypot(misstated.line(k_misstated * signal).gain / plan.line.gain - 1,
                               k_features_doubt * std::max(0.0, 1 - plan.line.gain));
  if (is_class) plan.gain_doubt = k_features_doubt;
  // snr = n |theta|^2 / (s v ln p), with v the variance of one label besides the coefficient's part: the randomizer's
  // noise divided by the gain, and the residual.
  const double gain = plan.line.gain;
  const double v = plan.variance / (gain * gain) + (is_class ? 1 / (gain * gain) : terms.noise * terms.noise);
  const double one =
      terms.sparsity * v * std::log(std::max(2.0, static_cast<double>(terms.features))) / (signal * signal);
  plan.snr = static_cast<double>(terms.devices) / one;
  plan.needed = static_cast<std::uint64_t>(std::ceil(k_snr_enough * one));
  plan.why =
      fmt::format("labels by {}{}, clipped at {:.3g} standard deviations of the target: {}; signal to noise {:.2g}",
                  label_way_name(plan.way), terms.label == LabelWay::automatic ? " (auto)" : "", plan.bound / spread,
                  why, plan.snr);
  if (plan.snr < k_snr_min) {
    plan.hopeless = fmt::format("this fleet is too small: need about {} devices (signal to noise {:.2g}, {} is needed)",
                                plan.needed, plan.snr, k_snr_enough);
  }
  return plan;
}

Result<ProtocolPlan> label_manifest(const RegressionTerms& terms) {
  const Result<LabelPlan> plan = plan_labels(terms);
  if (!plan) return plan.error();
  ProtocolPlan out;
  out.own = plan.value();
  out.weights = {1};
  out.questions = question_bits({QuestionKind::label});
  out.first = plan.value().spec;
  out.why = plan.value().why;
  return out;
}

}  // namespace sotto::analyzer
