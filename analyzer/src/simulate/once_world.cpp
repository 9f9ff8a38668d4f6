// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/simulate/once_world.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "normal_table.hpp"

namespace sotto::analyzer {
namespace {

constexpr double k_q15_max = 32767;
constexpr std::uint64_t k_truth_stream = ~std::uint64_t{0},
                        k_test_stream = ~std::uint64_t{1};  // no devices have these numbers
constexpr double k_mean_length = 0.5, k_around_mean = 0.5, k_logistic_length = 3.2, k_noise = 0.1, k_height = 0.8;

Q15 q15(double v) { return static_cast<Q15>(std::lround(std::clamp(v, -1.0, 1.0) * k_q15_max)); }

double length_of(const std::vector<double>& v) {
  double square = 0;
  for (const double c : v) square += c * c;
  return std::sqrt(square);
}

/// log(1 + e^u), without overflow.
double softplus(double u) { return std::max(u, 0.0) + std::log1p(std::exp(-std::abs(u))); }

double normal(Xoshiro& random) {
  return std::sqrt(-2 * std::log(1 - random.unit())) * std::cos(2 * std::numbers::pi * random.unit());
}

/// The sum of this many squares of normal numbers (Marsaglia, Tsang 2000, for three or more).
double chi_square(std::uint32_t freedom, Xoshiro& random) {
  double sum = 0;
  if (freedom < 3) {
    for (std::uint32_t i = 0; i < freedom; ++i) sum += std::pow(normal(random), 2);
    return sum;
  }
  const double d = freedom / 2.0 - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = normal(random), v = std::pow(1 + c * x, 3);
    if (v > 0 && std::log(1 - random.unit()) < x * x / 2 + d - d * v + d * std::log(v)) return 2 * d * v;
  }
}

}  // namespace

OnceWorld::OnceWorld(const OnceWorldSpec& spec) : spec_(spec) {
  if (spec.task == OnceTask::function) return;
  draw_truth();
  assumed_norm_ = length_of(truth_);
  if (spec.null) std::ranges::fill(truth_, 0.0);
}

void OnceWorld::draw_truth() {
  const OnceWorldSpec& spec = spec_;
  Xoshiro random(spec.seed, k_truth_stream);
  truth_.assign(spec.features, 0);
  if (spec.task == OnceTask::logistic) {
    draw_sphere(random, k_logistic_length, truth_);
    return;
  }
  std::set<std::uint32_t> taken;
  for (std::uint32_t j = spec.features - spec.nonzeros; j < spec.features; ++j) {
    if (!taken.insert(random.below(j + 1)).second) taken.insert(j);
  }
  const double s = spec.nonzeros;
  double k = 0;
  for (const std::uint32_t j : taken) {
    // 0.6 and -0.4 for two.
    truth_[j] = spec.task == OnceTask::mean ? k_mean_length / std::sqrt(s) : (s + 1 - k) / (s * (s + 3) / 2);
    const bool negative = spec.task == OnceTask::mean ? random.word() >> 63 != 0 : std::fmod(k, 2) == 1;
    if (negative) truth_[j] = -truth_[j];
    ++k;
  }
}

void OnceWorld::draw_sphere(Xoshiro& random, double radius, std::vector<double>& out) const {
  const std::vector<float>& normal = normal_table();
  for (double& c : out) c = static_cast<double>(normal[random.word() >> 48]);
  const double length = length_of(out);
  for (double& c : out) c *= radius / length;
}

double OnceWorld::function_at(std::span<const double> x) const {
  if (x.size() == 1) return k_height * std::sin(2 * std::numbers::pi * x[0]);
  double sum = 0;
  for (const double c : x) sum += c;
  return k_height * std::sin(std::numbers::pi * sum / (static_cast<double>(x.size()) / 2));
}

void OnceWorld::read(std::uint64_t device, DeviceRows& out) const {
  Xoshiro random(spec_.seed, device);
  out.rows = random.unit() < spec_.empty ? 0 : 1;
  const std::uint32_t d = spec_.features;
  out.numbers.assign(std::size_t{out.rows} * (d + 1), 0);
  if (out.rows == 0) return;
  std::vector<double> x(d);
  double y = 0;
  if (spec_.task == OnceTask::function) {
    for (double& c : x) c = random.unit();
    y = function_at(x) + k_noise * (2 * random.unit() - 1);
    for (double& c : x) c = 2 * c - 1;
  } else {
    draw_sphere(random, spec_.task == OnceTask::mean ? k_around_mean : 1, x);
    for (std::uint32_t j = 0; j < d; ++j) y += truth_[j] * x[j];
    if (spec_.task == OnceTask::linear) y += k_noise * (2 * random.unit() - 1);
    if (spec_.task == OnceTask::logistic) y = random.unit() < 1 / (1 + std::exp(-y)) ? 1 : -1;
    if (spec_.task == OnceTask::mean) {
      for (std::uint32_t j = 0; j < d; ++j) x[j] += truth_[j];
      y = 0;
    }
  }
  for (std::uint32_t j = 0; j < d; ++j) out.numbers[j] = q15(x[j]);
  out.numbers[d] = q15(y);
}

double OnceWorld::error_of(const Model& model) const {
  if (spec_.task == OnceTask::function) return function_error(model);
  if (spec_.task == OnceTask::logistic) return logistic_error(model);
  std::vector<double> left = truth_;
  for (const Coefficient& c : model.coefficients) left[c.feature] -= c.estimate;
  if (spec_.task == OnceTask::mean) return length_of(left);
  // On the sphere the expected excess loss is |w - truth|^2 / 2d.
  const double relative = length_of(left) / length_of(truth_);
  return relative * relative;
}

/// The loss depends on two directions of the sphere, those of the truth and of the model: the others are one length.
double OnceWorld::logistic_error(const Model& model) const {
  constexpr int k_points = 20000;
  std::vector<double> theta(spec_.features);
  for (const Coefficient& c : model.coefficients) theta[c.feature] = c.estimate;
  const double length = length_of(truth_);
  double along = 0, square = 0;
  for (std::size_t j = 0; j < theta.size(); ++j) {
    along += length > 0 ? theta[j] * truth_[j] / length : 0;
    square += theta[j] * theta[j];
  }
  const double across = std::sqrt(std::max(0.0, square - along * along));
  Xoshiro random(1, k_test_stream);
  double excess = 0, zero = 0;
  for (int i = 0; i < k_points; ++i) {
    const double first = normal(random), second = normal(random);
    const double radius = std::sqrt(first * first + second * second + chi_square(spec_.features - 2, random));
    const double t = length * first / radius, u = (along * first + across * second) / radius;
    const double p = 1 / (1 + std::exp(-t));
    const auto loss = [p](double v) { return p * softplus(-v) + (1 - p) * softplus(v); };
    excess += loss(u) - loss(t);
    zero += loss(0) - loss(t);
  }
  return excess / zero;
}

double OnceWorld::function_error(const Model& model) const {
  constexpr int k_points = 2000;
  Xoshiro random(7, k_test_stream);
  std::vector<double> x(spec_.features);
  double left = 0, all = 0;
  for (int i = 0; i < k_points; ++i) {
    for (double& c : x) c = random.unit();
    const double f = function_at(x), fit = model.function.inputs.empty() ? 0 : model.function(x);
    left += (fit - f) * (fit - f);
    all += f * f;
  }
  return std::sqrt(left / all);
}

}  // namespace sotto::analyzer
