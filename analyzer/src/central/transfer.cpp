// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <cmath>

#include "methods.hpp"
#include "sotto/analyzer/central/exact_draws.hpp"
#include "sotto/analyzer/math/xoshiro.hpp"

// Knowledge transfer (Wang, Gu): a teacher learns from the private rows and predicts public rows; a student learns from
// the predictions.
namespace sotto::analyzer::central {
namespace {

constexpr std::size_t k_values_max = std::size_t{1} << 26;                        // limit of the public rows
constexpr std::uint64_t k_public_seed = 1, k_public_stream = 0x7472616e73666572;  // "transfer"
constexpr double k_public_variance = 1.0 / 3;                                     // variance of U(-1, 1)
constexpr std::uint32_t k_teacher_steps = 60, k_student_steps = 40;
constexpr double k_lambda_constant = 1;

/// As many public rows as private ones, with features from U(-1, 1) by public coins and the teacher's predictions as
/// targets.
Problem public_rows(const FitWork& work, const Weights& teacher) {
  const std::size_t d = work.columns();
  const std::size_t m = std::clamp<std::size_t>(k_values_max / d, 1, static_cast<std::size_t>(work.sample.count));
  std::vector<float> x(m * d);
  Xoshiro random(k_public_seed, k_public_stream);
  for (float& v : x) v = static_cast<float>(2 * random.unit() - 1);
  Problem lesson;
  lesson.x = Rows::dense(std::move(x), d);
  lesson.loss = Loss::squared;
  for (std::size_t row = 0; row < m; ++row) lesson.y.push_back(static_cast<float>(dot(lesson.x, row, teacher)));
  return lesson;
}

Weights student(const Problem& lesson, std::uint32_t k) {
  const Sample rows = all_rows(lesson);
  const double d = static_cast<double>(lesson.x.columns());
  const double spread = std::sqrt(std::min(3 * k * std::log(d) / rows.count, 1.0));
  const double eta = 0.9 / (k_public_variance * (1 + spread / 2) * (1 + spread / 2));
  Weights w(lesson.x.columns());
  std::vector<double> v;
  for (std::uint32_t t = 0; t < k_student_steps; ++t) {
    v = w.at;
    for (const std::uint32_t row : rows.rows) {
      const double move = eta * (lesson.y[row] - dot(lesson.x, row, w)) / rows.count;
      lesson.x.visit(row, [&](std::uint32_t j, float at) { v[j] += move * at; });
    }
    w = hard_threshold(v, k);
  }
  return w;
}

}  // namespace

// The student sees only the teacher's private coefficients and public rows, so that no further privacy is spent.
Result<FitResult> fit_teacher(const FitWork& work) {
  FitSettings settings = work.settings;
  settings.watch = {};
  Result<FitResult> taught = fit_selected({work.sample, settings, work.coins, work.meter});
  if (!taught) return taught;
  FitResult result = std::move(taught).value();
  result.w = student(public_rows(work, result.w), work.settings.nonzeros);
  work.watch(result.passes, result.w);
  return result;
}

// As published, with constants 1: the noise is calibrated to a sensitivity that does not hold on sparse vectors, around
// an iterate that is taken for the minimiser. Nothing is charged, because no guarantee is known.
Result<FitResult> fit_printed_transfer(const FitWork& work) {
  const Problem& problem = work.problem();
  const std::uint32_t k = work.settings.nonzeros;
  const double n = work.sample.count, d = static_cast<double>(work.columns());
  FitResult result;
  result.is_proven = !work.is_private();
  result.passes = k_teacher_steps;
  result.steps = k_teacher_steps;
  double ridge = problem.l2, deviation = 0;
  if (work.is_private()) {
    const double epsilon = work.epsilon(), delta = work.settings.budget->delta;
    const double gamma = problem.bounds.value * problem.largest_residual();
    // The published rule assumes values and a target of size 1. A ridge is in units of a value squared.
    ridge += problem.bounds.value * problem.bounds.value *
             std::sqrt(k_lambda_constant * std::sqrt(k * std::log(d) * std::log(1 / delta)) / (n * epsilon));
    deviation =
        std::sqrt(8 * n * k_public_variance * k * gamma * gamma * std::log(2.5 / delta)) / (n * epsilon * ridge);
  }
  const Weights teacher = exact_iht(work.sample, k, k_teacher_steps, ridge, nullptr);
  Problem lesson = public_rows(work, teacher);
  constexpr unsigned k_log2_sigma = 40;
  const GridGaussian noise(k_log2_sigma);
  for (float& y : lesson.y) {
    if (deviation > 0)
      y += static_cast<float>(deviation *
                              std::ldexp(static_cast<double>(noise.draw(work.coins)), -static_cast<int>(k_log2_sigma)));
  }
  result.z = deviation;
  result.w = student(lesson, k);
  work.watch(result.passes, result.w);
  return result;
}

}  // namespace sotto::analyzer::central
