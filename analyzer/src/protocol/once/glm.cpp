// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "glm_parts.hpp"
#include "once.hpp"
#include "sotto/analyzer/aggregate/gaussian.hpp"
#include "sotto/analyzer/solve/l1_ball.hpp"
#include "sotto/analyzer/solve/sigm.hpp"

namespace sotto::analyzer {
namespace {

void put_coefficients(const RegressionTerms& terms, const Eigen::VectorXd& theta, double error, Model& model) {
  for (Eigen::Index j = 0; j < theta.size(); ++j)
    add_coefficient(static_cast<std::uint32_t>(j), theta[j], error, model);
  finish_coefficients(terms.features, model);
  model.error.privacy = error * error * static_cast<double>(theta.size());
  keep_beyond_noise(theta.norm() > 0 ? std::sqrt(model.error.privacy) / theta.norm() : 1, "the coefficients", model);
}

/// E y x is proportional to the coefficients if features have a uniform direction; its norm determines theirs.
class DirectGlm final : public Once {
 public:
  using Once::Once;

 private:
  Result<Done> learn(const RoundAggregate& aggregate, Model& model) override {
    const VectorMean mean = aggregate.direction();
    const double radius = from_q24(static_cast<std::int32_t>(ask_.draft.parameter[recipe::vector::radius]));
    const auto d = static_cast<Eigen::Index>(terms_.features);
    Eigen::VectorXd response(d);
    double square = 0;
    // A device reports the gradient at zero, which is -y x.
    for (Eigen::Index j = 0; j < d; ++j) {
      const auto at = static_cast<std::size_t>(j);
      response[j] = -radius * mean.mean[at];
      square += radius * radius * mean.standard_error[at] * mean.standard_error[at];
    }
    const double size = response.norm(), length = length_of(size);
    // The contribution of noise to the norm is subtracted, as James and Stein do.
    const double kept = size > 0 ? std::max(0.0, 1 - square / (size * size)) : 0;
    const Eigen::VectorXd theta = size > 0 ? Eigen::VectorXd(response * (kept * length / size)) : response;
    const double error = std::sqrt(square / static_cast<double>(d)) * (size > 0 ? length / size : 1);
    model.rounds.back().radius = radius;
    model.rounds.back().noise = std::sqrt(square / static_cast<double>(d));
    put_coefficients(terms_, theta, error, model);
    return Done{};
  }

  /// The norm of the coefficients with this mean response, by bisection: the response increases with the norm.
  [[nodiscard]] double length_of(double response) const {
    double low = 0, high = terms_.norm;
    if (mean_response(terms_, high) <= response) return high;
    for (int i = 0; i < 50; ++i) {
      const double middle = (low + high) / 2;
      (mean_response(terms_, middle) < response ? low : high) = middle;
    }
    return high;
  }
};

/// The paper's way: independent noisy copies make the polynomial gradient unbiased; SIGM passes over the reports once,
/// in batches. Corrected: the constant is a_0/2, r counts once, one copy of the target is enough, and the k-th power
/// reuses the copies of lower ones, whose products are equally independent of the first copy.
class CopiesGlm final : public Once {
 public:
  using Once::Once;

 private:
  static constexpr std::size_t k_steps = 5000;

  Result<Done> learn(const RoundAggregate& aggregate, Model& model) override {
    const VectorSet& reports = aggregate.vectors();
    const GlmLoss loss = glm_loss(terms_);
    const auto d = static_cast<Eigen::Index>(terms_.features);
    const std::vector<std::uint32_t> order = reports.order();
    const std::size_t batch = std::max<std::size_t>(1, (order.size() + k_steps - 1) / k_steps);
    const double x_step = feature_step() / once().row_norm, y_step = target_step() / once().target_bound;
    const double variance = discrete_noise();
    const double noise = std::sqrt(variance) * std::max(x_step, y_step);
    const double deviation = gradient_deviation(loss, noise, terms_.features);
    double smoothness = 0;
    for (std::size_t k = 1; k < loss.powers.size(); ++k)
      smoothness += static_cast<double>(k) * std::abs(loss.powers[k]);
    Sigm sigm(
        {std::max(1e-9, loss.scale * smoothness), deviation / std::sqrt(static_cast<double>(batch)), 1, 1},
        [](const Eigen::VectorXd& x) { return project_l2_ball(x, 1); }, d);
    for (std::size_t first = 0; first < order.size(); first += batch) {
      const std::size_t last = std::min(order.size(), first + batch);
      Eigen::VectorXd gradient = Eigen::VectorXd::Zero(d);
      for (std::size_t i = first; i < last; ++i)
        add_gradient(loss, reports.report(order[i]), x_step, y_step, sigm.query(), gradient);
      sigm.step(gradient / static_cast<double>(last - first));
    }
    const double bend =
        loss.scale * std::max(1e-12, std::abs(loss.powers.size() > 1 ? loss.powers[1] : 0)) / static_cast<double>(d);
    const double error = deviation / std::sqrt(static_cast<double>(order.size()) * static_cast<double>(d)) / bend;
    model.rounds.back().radius = once().row_norm;
    model.rounds.back().noise = noise;
    put_coefficients(terms_, terms_.norm * sigm.result(), terms_.norm * error, model);
    // The polynomial only approximates the loss, with an unknown effect on each coefficient: standard errors of the
    // noise, but no intervals.
    for (Coefficient& c : model.coefficients)
      c.standard_error = c.low = c.high = std::numeric_limits<double>::quiet_NaN();
    model.why_verdict +=
        fmt::format("; the polynomial of degree {} misses the loss's slope by up to {:.2g}", once().degree, loss.error);
    return Done{};
  }

  [[nodiscard]] double discrete_noise() const;

  /// scale * (c_0 + sum_k c_k <z_1, w> .. <z_k, w> - label * y) z_0: unbiased, since all copies have noise of their
  /// own.
  void add_gradient(const GlmLoss& loss, std::span<const std::int32_t> report, double x_step, double y_step,
                    const Eigen::VectorXd& w, Eigen::VectorXd& gradient) const {
    const auto d = static_cast<std::size_t>(w.size());
    double slope = loss.powers[0] - loss.label * once().target_bound * y_step * report.back(), product = 1;
    for (std::size_t k = 1; k < loss.powers.size(); ++k) {
      double inner = 0;
      for (std::size_t j = 0; j < d; ++j) inner += report[k * d + j] * w[static_cast<Eigen::Index>(j)];
      product *= x_step * inner;
      slope += loss.powers[k] * product;
    }
    for (std::size_t j = 0; j < d; ++j)
      gradient[static_cast<Eigen::Index>(j)] += loss.scale * slope * x_step * report[j];
  }
};

double CopiesGlm::discrete_noise() const {
  return discrete_gaussian_variance(std::get<GaussianSpec>(ask_.draft.spec).variance);
}

}  // namespace

std::unique_ptr<Protocol> glm_once(const RegressionTerms& terms, OnceAsk ask, const Manifest& manifest) {
  if (ask.way == OnceWay::direct) return std::make_unique<DirectGlm>(terms, std::move(ask), manifest);
  return std::make_unique<CopiesGlm>(terms, std::move(ask), manifest);
}

}  // namespace sotto::analyzer
