// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "glm_parts.hpp"
#include "once.hpp"
#include "projection.hpp"
#include "sotto/analyzer/aggregate/gaussian.hpp"
#include "sotto/analyzer/channel/support_odds.hpp"
#include "sotto/analyzer/math/direction_error.hpp"
#include "sotto/analyzer/propose/direction.hpp"
#include "sotto/local/fourier.hpp"

// What each way of each protocol asks, and its predicted error. Predictions are orders of magnitude, to choose a way
// by.
namespace sotto::analyzer {
namespace {

// Limit on the cost of one report for a device: a direction of 4096 coordinates.
constexpr DeviceWork k_report_work{6'000'000, 32768};
constexpr std::uint32_t k_numbers_max = 256;         // numbers of a sketch
constexpr std::uint32_t k_identity_max = 256;        // features that are sent without a projection
constexpr std::uint32_t k_moment_features_max = 88;  // features whose packed products fit into a direction
constexpr std::uint32_t k_directions_max = 4095;
// In simulations of 2,000 to 100,000 devices the errors of regression and kernel ridge were between half of the
// prediction and a third above it. With a prediction of 1.35 or more, the slack times the error of the zero model,
// nothing was learned.
constexpr double k_moment_slack = 1.5;

}  // namespace

Error no_way(const RegressionTerms& terms, OnceWay way, std::string what, std::string fix) {
  return {"protocol.no_way", std::move(what), fmt::format("{} by {}", terms.protocol->name, way_name(way)),
          std::move(fix)};
}

namespace {

std::uint32_t to_whole_q24(double value) { return static_cast<std::uint32_t>(std::max(1, to_q24(value))); }
std::uint32_t bound_q15(const OnceTerms& once) {
  return static_cast<std::uint32_t>(std::clamp(std::lround(once.target_bound * 32768), 1L, 32768L));
}

double devices_of(const RegressionTerms& terms) {
  return static_cast<double>(std::max<std::uint64_t>(1, terms.devices));
}

/// The number of devices at which an error that falls with this power of it is a half.
double devices_for_half(const RegressionTerms& terms, const OnceAsk& ask, double power = 0.5) {
  return devices_of(terms) * std::pow(ask.predicted / ask.slack / 0.5, 1 / power);
}

/// The certified Gaussian for this dimension with the finest grid that the sampler supports.
Result<GaussianSpec> gaussian_of(const RegressionTerms& terms, OnceWay way, std::uint32_t dimension) {
  if (terms.once->delta == 0) return no_way(terms, way, "additive noise needs a delta", "write privacy.delta = 1e-6");
  GaussianSpec spec{terms.epsilon, terms.once->delta, k_gaussian_radius_max, 0, dimension};
  for (; spec.radius >= 16; spec.radius /= 2) {
    const Status status = derive(spec);
    if (status == Status::ok) return spec;
    if (status != Status::bad_channel) break;  // a coarser grid has less variance, which helps only against bad_channel
  }
  return no_way(terms, way, "this epsilon and delta are no certified point of the discrete Gaussian",
                "write epsilon 0.5, 1, 2, 4 or 8 and delta 1e-5, 1e-6 or 1e-8");
}

/// A vector in a ball as a direction: the spec of the draft, and the variance that one report adds to a coordinate,
/// divided by R^2.
Result<double> through_direction(const RegressionTerms& terms, OnceWay way, std::uint32_t size, RoundDraft& draft) {
  if (size > k_directions_max)
    return no_way(terms, way, fmt::format("a direction holds at most {} numbers", k_directions_max),
                  "ask by paper, or about fewer features");
  const Result<DirectionProposal> best = propose_direction(terms.epsilon, size + 1, k_report_work);
  if (!best) return best.error();
  draft.spec = std::visit([](const auto& spec) { return AnySpec{spec}; }, best.value().spec);
  return best.value().error.mean_square() / (size + 1.0);
}

/// Equal balls for `copies` of the features and for the target, if it is asked for.
void split_ball(const GaussianSpec& spec, std::uint32_t copies, bool target, RoundDraft& draft) {
  const double parts = copies + (target ? 1.0 : 0.0);
  const auto steps = static_cast<std::uint32_t>(std::floor(spec.radius / std::sqrt(parts)));
  draft.parameter[recipe::record::feature_steps] = steps;
  draft.parameter[recipe::record::target_steps] = target ? steps : 0;
  draft.spec = spec;
}

/// Variance of the noise of a number with `steps` grid steps per unit.
double unit_noise(const GaussianSpec& spec, double steps) {
  return discrete_gaussian_variance(spec.variance) / (steps * steps);
}

/// Relative error of a sparse vector of this norm whose numbers have noise tau and are kept above tau sqrt(2 ln d).
double thresholded_error(const RegressionTerms& terms, double tau) {
  const double each = terms.norm / std::sqrt(static_cast<double>(terms.sparsity));
  const double threshold = tau * std::sqrt(2 * std::log(std::max(2.0, static_cast<double>(terms.features))));
  const double missed = 0.5 * std::erfc((each - threshold) / tau / std::numbers::sqrt2);
  return std::sqrt(terms.sparsity * (missed * each * each + (1 - missed) * tau * tau)) / terms.norm;
}

/// The number of devices at which the error of the mean is a half, if one report adds noise of this deviation to a
/// number.
double devices_for_half_mean(const RegressionTerms& terms, double deviation) {
  double low = 0, high = 60;  // powers of two
  for (int i = 0; i < 50; ++i) {
    const double middle = (low + high) / 2;
    (thresholded_error(terms, deviation / std::exp2(middle / 2)) > 0.5 ? low : high) = middle;
  }
  return std::exp2(high);
}

}  // namespace

Result<OnceAsk> ask_mean(const RegressionTerms& terms, OnceWay way) {
  const OnceTerms& once = *terms.once;
  OnceAsk ask{.way = way, .draft = {}};
  const double n = devices_of(terms);
  if (way == OnceWay::direct) {
    ask.draft.question = QuestionKind::direction;
    ask.draft.recipe = Recipe::means;
    ask.draft.parameter[recipe::vector::radius] = to_whole_q24(once.row_norm);
    ask.draft.parameter[recipe::vector::scope] = k_scope_all;
    const Result<double> variance = through_direction(terms, way, terms.features, ask.draft);
    if (!variance) return variance.error();
    const double deviation = once.row_norm * std::sqrt(variance.value());
    ask.predicted = thresholded_error(terms, deviation / std::sqrt(n));
    ask.needed = devices_for_half_mean(terms, deviation);
    return ask;
  }
  // The paper's number of measurements, limited to what fits into a report.
  const double wanted = terms.norm / once.row_norm * std::sqrt(terms.sparsity * n) * terms.nats();
  const std::uint32_t p =
      once.projected != 0 ? once.projected
                          : static_cast<std::uint32_t>(std::clamp(8 * std::ceil(wanted / 8), 8.0, 1.0 * k_numbers_max));
  const Result<GaussianSpec> spec = gaussian_of(terms, way, p + 1);
  if (!spec) return spec.error();
  ask.draft.question = QuestionKind::sketch;
  ask_projection(terms.features, p, ask.draft);
  ask.draft.parameter[recipe::record::radius] = to_whole_q24(once.row_norm);
  ask.draft.parameter[recipe::record::target_bound] = 1;  // for a target that is not used
  split_ball(spec.value(), 1, false, ask.draft);
  const double variance =
      once.row_norm * once.row_norm * unit_noise(spec.value(), ask.draft.parameter[recipe::record::feature_steps]);
  // Fewer measurements than features add the error of the recovery: at best a factor of 1/(1 - s/p).
  const double spread = std::max(0.05, 1 - 2.0 * terms.sparsity / p);
  ask.predicted = thresholded_error(terms, std::sqrt(variance / n / spread));
  ask.needed = devices_for_half_mean(terms, std::sqrt(variance / spread));
  return ask;
}

namespace {

/// Predicted error of coefficients that solve Q w = b, if the numbers of Q and b have noise of these variances and Q is
/// about row_norm^2/d times the identity.
double coefficient_error(const RegressionTerms& terms, double q_variance, double b_variance) {
  const double d = terms.features, row = terms.once->row_norm;
  const double square = d * (q_variance * terms.norm * terms.norm + b_variance) / devices_of(terms);
  return std::sqrt(square) * d / (row * row) / terms.norm;
}

}  // namespace

Result<OnceAsk> ask_regression(const RegressionTerms& terms, OnceWay way) {
  const OnceTerms& once = *terms.once;
  OnceAsk ask{.way = way, .draft = {}, .slack = k_moment_slack};
  const double row = once.row_norm, target = once.target_bound;
  if (way == OnceWay::moments) {
    if (terms.features > k_moment_features_max)
      return no_way(terms, way, fmt::format("products of at most {} features fit a direction", k_moment_features_max),
                    "ask by paper, or about fewer features");
    ask.draft.question = QuestionKind::moments;
    ask.draft.recipe = Recipe::packed;
    const double radius = row * std::hypot(row, target);  // no record exceeds it, so nothing is clipped
    ask.draft.parameter[recipe::vector::radius] = to_whole_q24(radius);
    ask.draft.parameter[recipe::vector::scope] = k_scope_all;
    const std::uint32_t size = terms.features * (terms.features + 1) / 2 + terms.features;
    const Result<double> variance = through_direction(terms, way, size, ask.draft);
    if (!variance) return variance.error();
    const double noise = radius * radius * variance.value();
    ask.predicted = coefficient_error(terms, noise, noise);
    ask.needed = devices_for_half(terms, ask);
    return ask;
  }
  // With as many numbers as features they are sent as they are. A projection is used for more features, or if the study
  // asks for one.
  const bool projects = once.projected != 0 || terms.features > k_identity_max;
  const std::uint32_t p = !projects ? terms.features : once.projected != 0 ? once.projected : k_numbers_max;
  const Result<GaussianSpec> spec = gaussian_of(terms, way, p + 1);
  if (!spec) return spec.error();
  ask.draft.question = projects ? QuestionKind::sketch : QuestionKind::synopsis;
  ask.draft.parameter[recipe::record::radius] = to_whole_q24(row);
  ask.draft.parameter[recipe::record::target_bound] = bound_q15(once);
  if (projects) {
    ask_projection(terms.features, p, ask.draft);
  } else {
    ask.draft.recipe = Recipe::copies;
    ask.draft.parameter[recipe::copies::count] = 1;
    ask.draft.parameter[recipe::copies::scope] = k_scope_all;
  }
  split_ball(spec.value(), 1, true, ask.draft);
  const double unit = unit_noise(spec.value(), ask.draft.parameter[recipe::record::feature_steps]),
               x = row * row * unit, y = target * target * unit;
  const double each = row * row / p;  // mean square of a number
  ask.predicted = coefficient_error(terms, x * x + 2 * x * each, x * y + x * target * target / 3 + y * each);
  ask.needed = devices_for_half(terms, ask);
  return ask;
}

namespace {

/// Relative root mean square error of ridge on noisy moments of Fourier features. The exponent fits simulations of one
/// to three features at 10^4 to 10^6 devices within a fifth.
constexpr double k_ridge_power = 1.0 / 6;  // of the number of devices
double ridge_error(double moment_noise) { return std::cbrt(4.7 * moment_noise); }

Result<OnceAsk> ask_cells(const RegressionTerms& terms) {
  const OnceTerms& once = *terms.once;
  constexpr std::uint32_t k_cells[] = {16, 10, 6};
  if (terms.features > std::size(k_cells))
    return no_way(terms, OnceWay::binned, "cells are for functions of at most three features",
                  "ask by moments or by paper");
  const std::uint32_t cells = once.cells != 0 ? once.cells : k_cells[terms.features - 1];
  const double all = std::pow(cells, terms.features);
  if (2 * all >= k_categories_max)
    return no_way(terms, OnceWay::binned, "there are more cells than categories", "write fewer cells");
  VoteSpec vote{terms.epsilon, static_cast<std::uint32_t>(2 * all) - 1, 0, 0,
                0};  // the channel with the least variance
  if (derive(vote) != Status::ok)
    return no_way(terms, OnceWay::binned, "epsilon is too small for so many cells", "write fewer cells");
  OnceAsk ask{.way = OnceWay::binned, .draft = {}, .slack = k_moment_slack};
  const bool is_grr = vote.oracle == static_cast<std::uint32_t>(VoteOracle::grr);
  ask.draft.question = QuestionKind::bin;
  ask.draft.recipe = Recipe::cells;
  ask.draft.spec = is_grr ? AnySpec{as_grr(vote)} : AnySpec{as_walsh_hash(vote)};
  ask.draft.parameter[recipe::cells::count] = cells;
  ask.draft.parameter[recipe::cells::bound] = bound_q15(once);
  ask.draft.parameter[recipe::cells::scope] = k_scope_all;
  // A hash collides with every other answer equally often: q = 1/g.
  SupportOdds odds = response_odds(channel(vote));
  if (!is_grr) odds.other = 1.0 / channel(vote).outcomes;
  // The mean of a cell is the difference of two shares, divided by the cell's share of devices; smoothing leaves as
  // many degrees of freedom as the bandwidth allows.
  const double free = std::pow(std::min<double>(cells, 1 + 2 / (1.5 * once.bandwidth)), terms.features);
  const double noise = all * all * 2 * odds.variance(1 / (2 * all)) / devices_of(terms);
  constexpr double k_typical_square = 1.0 / 3, k_left_by_cells = 0.05;  // of a target that fills its bound
  ask.predicted = std::sqrt(noise * free / all / k_typical_square + k_left_by_cells * k_left_by_cells);
  ask.needed = devices_for_half(terms, ask);
  return ask;
}

}  // namespace

Result<OnceAsk> ask_kernel(const RegressionTerms& terms, OnceWay way) {
  if (way == OnceWay::binned) return ask_cells(terms);
  const OnceTerms& once = *terms.once;
  const double n = devices_of(terms), inverse = 1 / once.bandwidth;
  const auto inverse_q16 = static_cast<std::uint32_t>(
      std::clamp<double>(std::round(inverse * 65536), k_inverse_bandwidth_q16_min, k_inverse_bandwidth_q16_max));
  OnceAsk ask{.way = way, .draft = {}, .slack = k_moment_slack};
  // Few Fourier features approximate a function poorly, many share the noise: 8 and 16 were best in simulations.
  const std::uint32_t p = once.projected != 0 ? once.projected : way == OnceWay::moments ? 16 : 8;
  constexpr double k_length = 1.0;  // of features: sqrt(2/p) cos, so 1 on average and sqrt 2 at most
  if (way == OnceWay::moments) {
    if (p > k_moment_features_max)
      return no_way(terms, way, fmt::format("products of at most {} features fit a direction", k_moment_features_max),
                    "write projected = 16");
    ask.draft.question = QuestionKind::moments;
    ask.draft.recipe = Recipe::packed_fourier;
    // z|^4/2 and a little for the squares, and |z|^2 y^2: most records are within it. Longer ones are clipped.
    const double radius = std::sqrt(0.75 + k_length * once.target_bound * once.target_bound / 2);
    ask.draft.parameter[recipe::packed_fourier::radius] = to_whole_q24(radius);
    ask.draft.parameter[recipe::packed_fourier::count] = p;
    ask.draft.parameter[recipe::packed_fourier::inverse_bandwidth] = inverse_q16;
    const Result<double> variance = through_direction(terms, way, p * (p + 1) / 2 + p, ask.draft);
    if (!variance) return variance.error();
    ask.predicted = ridge_error(radius * std::sqrt(variance.value() / n) / std::sqrt(0.5));
    ask.needed = devices_for_half(terms, ask, k_ridge_power);
    return ask;
  }
  const Result<GaussianSpec> spec = gaussian_of(terms, way, p + 1);
  if (!spec) return spec.error();
  ask.draft.question = QuestionKind::sketch;
  ask.draft.recipe = Recipe::fourier;
  ask.draft.parameter[recipe::record::radius] = k_fourier_radius_q24;
  ask.draft.parameter[recipe::record::target_bound] = bound_q15(once);
  ask.draft.parameter[recipe::sketch::inverse_bandwidth] = inverse_q16;
  split_ball(spec.value(), 1, true, ask.draft);
  const double unit = unit_noise(spec.value(), ask.draft.parameter[recipe::record::feature_steps]);
  ask.predicted = ridge_error(2 * unit / std::sqrt(n) / std::sqrt(0.5));
  ask.needed = devices_for_half(terms, ask, k_ridge_power);
  return ask;
}

namespace {}  // namespace

Result<OnceAsk> ask_glm(const RegressionTerms& terms, OnceWay way) {
  const OnceTerms& once = *terms.once;
  OnceAsk ask{.way = way, .draft = {}};
  const double d = terms.features, n = devices_of(terms);
  if (way == OnceWay::direct) {
    if (!once.isotropic)
      return no_way(terms, way, "the design must be known", "write isotropic = true where features point anywhere");
    ask.draft.question = QuestionKind::direction;
    ask.draft.recipe = Recipe::row_gradient;
    const double radius = once.row_norm * once.target_bound;
    ask.draft.parameter[recipe::vector::radius] = to_whole_q24(radius);
    ask.draft.parameter[recipe::vector::residual_bound] = to_whole_q24(once.target_bound);
    ask.draft.parameter[recipe::vector::scope] = k_scope_all;
    const Result<double> variance = through_direction(terms, way, terms.features, ask.draft);
    if (!variance) return variance.error();
    ask.predicted = std::sqrt(d * variance.value() / n) * radius / mean_response(terms, terms.norm);
    ask.needed = devices_for_half(terms, ask);
    return ask;
  }
  const std::uint32_t copies = once.degree + 1;
  const Result<GaussianSpec> spec = gaussian_of(terms, way, copies * terms.features + 1);
  if (!spec) return spec.error();
  ask.draft.question = QuestionKind::synopsis;
  ask.draft.recipe = Recipe::copies;
  ask.draft.parameter[recipe::record::radius] = to_whole_q24(once.row_norm);
  ask.draft.parameter[recipe::record::target_bound] = bound_q15(once);
  ask.draft.parameter[recipe::copies::count] = copies;
  ask.draft.parameter[recipe::copies::scope] = k_scope_all;
  split_ball(spec.value(), copies, true, ask.draft);
  const GlmLoss loss = glm_loss(terms);
  const double noise = std::sqrt(unit_noise(spec.value(), ask.draft.parameter[recipe::record::feature_steps]));
  // The loss has a curvature of about scale c_1/d in every direction; the noise of a gradient divided by it is the
  // error.
  const double bend = loss.powers.size() > 1 ? loss.scale * std::abs(loss.powers[1]) / d : 0;
  ask.predicted = bend > 0 ? gradient_deviation(loss, noise, terms.features) / std::sqrt(n) / bend : 1e9;
  ask.needed = devices_for_half(terms, ask);
  return ask;
}

}  // namespace sotto::analyzer
