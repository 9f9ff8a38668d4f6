// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sotto/analyzer/central/fit.hpp"

// What the methods of `sotto fit` share: their input, budget and gradient steps.
namespace sotto::analyzer::central {

/// The strength (rows times epsilon for each coordinate) from which on noise in all coordinates is tolerable.
inline constexpr double k_enough = 13;

/// Ends a fit from within, whose method has nothing to release.
struct StoppedFit {};

/// The input of every method. A method charges the meter for every access to the rows.
struct FitWork {
  const Sample& sample;
  const FitSettings& settings;
  Coins& coins;
  PrivacyMeter& meter;

  [[nodiscard]] const Problem& problem() const { return sample.problem; }
  [[nodiscard]] std::size_t columns() const { return sample.problem.x.columns(); }
  [[nodiscard]] bool is_private() const { return settings.budget.has_value(); }
  [[nodiscard]] double epsilon() const { return settings.budget->epsilon; }
  /// The budget's delta minus a small part that pays for the tails that the samplers truncate.
  [[nodiscard]] double delta() const { return settings.budget->delta * (1 - 1e-5); }
  // What the method may spend: the budget minus what was paid before, in three units.
  /// As precision, the sum of 1/z^2, if all mechanisms are Gaussian releases on all rows (exact).
  [[nodiscard]] Result<double> gaussian_precision() const;
  /// As rho of zCDP.
  [[nodiscard]] Result<double> zcdp(double epsilon, double delta) const;
  [[nodiscard]] Result<double> zcdp() const { return zcdp(epsilon(), delta()); }
  /// The smallest noise multiplier whose cost stays within what the method may spend.
  [[nodiscard]] Result<double> multiplier(const std::function<RenyiCurve(double z)>& cost) const;
  [[nodiscard]] std::uint32_t steps(std::uint32_t by_rule) const { return settings.steps.value_or(by_rule); }
  /// The strength: rows times epsilon for each of these coordinates.
  [[nodiscard]] double strength(std::size_t coordinates) const {
    return sample.count * epsilon() / static_cast<double>(coordinates);
  }
  /// Checks that a number derived from the bounds and the budget is in the range that integer grids can represent.
  /// Refuses   fit.bad_scale.
  [[nodiscard]] static Result<Done> check_scale(double value, const char* what);
  /// Called between steps. Throws StoppedFit where the caller wants the fit to end; fit() catches it.
  void end_if_stopped() const {
    if (settings.is_stopped && settings.is_stopped()) throw StoppedFit{};
  }
  void watch(double passes, const Weights& w) const {
    end_if_stopped();
    if (settings.watch) settings.watch(passes, w);
  }
};

[[nodiscard]] Result<FitResult> fit_iht(const FitWork& work);
[[nodiscard]] Result<FitResult> fit_sgd(const FitWork& work);
/// SCSG with a fixed and with a geometric number of corrections, and SVRG.
[[nodiscard]] Result<FitResult> fit_snapshots(const FitWork& work);
[[nodiscard]] Result<FitResult> fit_peeling(const FitWork& work);
[[nodiscard]] Result<FitResult> fit_selected(const FitWork& work);
[[nodiscard]] Result<FitResult> fit_output_noise(const FitWork& work);
[[nodiscard]] Result<FitResult> fit_teacher(const FitWork& work);
[[nodiscard]] Result<FitResult> fit_printed_transfer(const FitWork& work);
[[nodiscard]] Result<FitResult> fit_frank_wolfe(const FitWork& work);
[[nodiscard]] Result<FitResult> fit_two_stage(const FitWork& work);

/// A sequence of noisy (or exact) gradient steps, each followed by a hard threshold.
struct DescentPlan {
  std::uint32_t steps = 0;
  double share = 1;  ///< share of the rows sampled for every step
  double z = 0;
  double step_size = 0;  ///< in units of 1 / (curvature * row bound^2)
  std::uint32_t nonzeros = 0;
  bool is_averaged = false;  ///< the result is the mean of the second half of the iterates, not the last one
};
/// Charges the meter for these steps.
void charge_descent(const Sample& sample, const DescentPlan& plan, const FitWork& work);
/// Runs the steps. `pass_cost`: the cost of one pass over these rows in passes over the whole problem.
[[nodiscard]] FitResult descend(const Sample& sample, const DescentPlan& plan, const FitWork& work, double pass_cost,
                                const Watch& watch);

/// The same steps without privacy, with a step size from the curvature of the rows themselves.
[[nodiscard]] Weights exact_iht(const Sample& sample, std::uint32_t nonzeros, std::uint32_t steps, double l2,
                                const FitWork* work);

}  // namespace sotto::analyzer::central
