// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// @file
/// The methods of `sotto fit`, their settings, and the function that runs any of them on rows that a server holds.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sotto/analyzer/central/coins.hpp"
#include "sotto/analyzer/central/meter.hpp"
#include "sotto/analyzer/central/problem.hpp"
#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer::central {

enum class Method : std::uint8_t {
  dp_iht,        ///< noisy gradients of all rows, hard threshold
  dp_sgd_ht,     ///< of sampled rows
  dp_scsg_ht,    ///< snapshots on half of the rows and three corrections each
  dp_scsg_ht_1,  ///< the same with a geometric number of corrections
  dp_svrg_ht,    ///< snapshots on all rows
  peeling,       ///< the k best coordinates by the exponential mechanism at every step, noise on these alone
  select_fit,    ///< coordinates chosen once, then noisy gradients on these
  kt_output,     ///< coordinates chosen once, then the exact minimiser on these with noise
  kt_teacher,    ///< select_fit teaches, a student learns from its answers to public rows
  kt_paper,      ///< the printed knowledge transfer: no proven guarantee
  frank_wolfe,   ///< vertices of an l1 ball by the exponential mechanism
  two_stage,     ///< coordinates chosen once, then a noisy objective
};
[[nodiscard]] std::string_view method_name(Method method);
[[nodiscard]] std::optional<Method> find_method(std::string_view name);
/// All of them, in the order of a table.
[[nodiscard]] std::span<const Method> all_methods();

/// Without one, a fit is the limit that its method has without privacy: no noise, no clipping.
struct Budget {
  double epsilon = 1, delta = 1e-5;
};

/// Told the passes over the rows so far and the coefficients that were reached; for curves and progress.
using Watch = std::function<void(double passes, const Weights& w)>;

struct FitSettings {
  Method method = Method::select_fit;
  std::optional<Budget> budget;
  std::uint32_t nonzeros = 10;  ///< k
  Adjacency adjacency = Adjacency::add_remove;
  // Public choices; what is not given follows from the method's rule.
  std::optional<std::uint32_t> steps{};
  std::optional<double> step_size{};  ///< over 1 / (curvature * row bound^2)
  std::optional<double> l1_radius{};  ///< of frank_wolfe
  /// What the budget has paid for already: the scales of the rows. Methods have the rest.
  std::vector<GaussianRelease> paid_before{};
  bool is_unproven_allowed = false;
  Watch watch{};
};

struct FitResult {
  Weights w;
  double z = 0;          ///< noise multiplier of the gradients (or of the one vector that is released); 0: none
  double epsilon = 0;    ///< delivered at the budget's delta; infinite without one
  double step_size = 0;  ///< as in FitSettings
  std::uint32_t steps = 0;
  double passes = 0;  ///< over the rows
  bool is_proven = true;
};

/// Learns k coefficients from the rows of a sample.
/// Privacy   (epsilon, delta) for one row, with the sample's count, the bounds and every setting taken as public. What the meter says was
///           spent, with `paid_before`, is compared with the budget before anything is given back.
/// Refuses   fit.bad_nonzeros, accountant.*, fit.bad_rows, fit.bad_steps, fit.unproven, fit.no_minimum,
///           fit.overspent, fit.no_budget_left; fit.bad_bound: a bound, a step size, a radius or the l2 weight that is no number or
///           too small or large to calculate with; fit.bad_scale: what follows from them is; fit.diverged: the coefficients are.
[[nodiscard]] Result<FitResult> fit(const Sample& sample, const FitSettings& settings, Coins& coins);

/// The method for a problem of this size, by a public rule, and why.
struct MethodChoice {
  Method method = Method::select_fit;
  std::string why;
};
[[nodiscard]] MethodChoice choose_method(double rows, double columns, double epsilon, const PublicBounds& bounds);

}  // namespace sotto::analyzer::central
