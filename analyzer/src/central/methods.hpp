// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sotto/analyzer/central/fit.hpp"

namespace sotto::analyzer::central {

/// Rows times epsilon for each coordinate that all of them can bear noise with.
inline constexpr double k_enough = 13;

/// What every method is given. It charges the meter for everything that it looked at the rows for.
struct FitWork {
  const Sample& sample;
  const FitSettings& settings;
  Coins& coins;
  PrivacyMeter& meter;

  [[nodiscard]] const Problem& problem() const { return sample.problem; }
  [[nodiscard]] std::size_t columns() const { return sample.problem.x.columns(); }
  [[nodiscard]] bool is_private() const { return settings.budget.has_value(); }
  [[nodiscard]] double epsilon() const { return settings.budget->epsilon; }
  /// A little less than the budget's, for what the samplers leave out.
  [[nodiscard]] double delta() const { return settings.budget->delta * (1 - 1e-5); }
  // What the method may spend: the budget without what was paid before.
  /// As the sum of 1/z^2 over Gaussian releases, where there is nothing else (exact).
  [[nodiscard]] Result<double> gaussian_precision() const;
  /// As zCDP.
  [[nodiscard]] Result<double> zcdp(double epsilon, double delta) const;
  [[nodiscard]] Result<double> zcdp() const { return zcdp(epsilon(), delta()); }
  /// The smallest noise multiplier with a cost within it.
  [[nodiscard]] Result<double> multiplier(const std::function<RenyiCurve(double z)>& cost) const;
  [[nodiscard]] std::uint32_t steps(std::uint32_t by_rule) const { return settings.steps.value_or(by_rule); }
  /// Rows times epsilon for each of these coordinates.
  [[nodiscard]] double strength(std::size_t coordinates) const {
    return sample.count * epsilon() / static_cast<double>(coordinates);
  }
  /// Is a number that follows from the bounds and the budget one that whole numbers can be made with?
  /// Refuses   fit.bad_scale.
  [[nodiscard]] static Result<Done> check_scale(double value, const char* what);
  void watch(double passes, const Weights& w) const {
    if (settings.watch) settings.watch(passes, w);
  }
};

[[nodiscard]] Result<FitResult> fit_iht(const FitWork& work);
[[nodiscard]] Result<FitResult> fit_sgd(const FitWork& work);
/// SCSG, both options, and SVRG.
[[nodiscard]] Result<FitResult> fit_snapshots(const FitWork& work);
[[nodiscard]] Result<FitResult> fit_peeling(const FitWork& work);
[[nodiscard]] Result<FitResult> fit_selected(const FitWork& work);
[[nodiscard]] Result<FitResult> fit_output_noise(const FitWork& work);
[[nodiscard]] Result<FitResult> fit_teacher(const FitWork& work);
[[nodiscard]] Result<FitResult> fit_printed_transfer(const FitWork& work);
[[nodiscard]] Result<FitResult> fit_frank_wolfe(const FitWork& work);
[[nodiscard]] Result<FitResult> fit_two_stage(const FitWork& work);

/// Noisy (or exact) gradient steps with a hard threshold behind each.
struct DescentPlan {
  std::uint32_t steps = 0;
  double share = 1;  ///< of the rows, sampled for every step
  double z = 0;
  double step_size = 0;  ///< over 1 / (curvature * row bound^2)
  std::uint32_t nonzeros = 0;
  bool is_averaged = false;  ///< the mean of the second half is the result, in place of the last
};
/// What these steps cost, to the meter.
void charge_descent(const Sample& sample, const DescentPlan& plan, const FitWork& work);
/// The steps. `pass_cost`: what one pass over these rows is of a pass over the whole problem.
[[nodiscard]] FitResult descend(const Sample& sample, const DescentPlan& plan, const FitWork& work, double pass_cost,
                                const Watch& watch);

/// Steps of the same kind without a budget, with the step that the rows themselves allow.
[[nodiscard]] Weights exact_iht(const Sample& sample, std::uint32_t nonzeros, std::uint32_t steps, double l2,
                                const FitWork* work);

}  // namespace sotto::analyzer::central
