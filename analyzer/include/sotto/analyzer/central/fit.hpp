// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Sparse linear and logistic regression with central differential privacy on rows that the server holds: the methods
/// of `sotto fit`, their settings and their result. docs/CENTRAL.md states the guarantees.

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

/// The methods. All restrict the coefficients to k nonzeros.
enum class Method : std::uint8_t {
  dp_iht,        ///< noisy gradients of all rows, each step followed by a hard threshold
  dp_sgd_ht,     ///< the same with gradients of sampled rows
  dp_scsg_ht,    ///< variance reduction: snapshot gradients on half of the rows, three corrections each
  dp_scsg_ht_1,  ///< the same with a geometric number of corrections
  dp_svrg_ht,    ///< variance reduction with snapshot gradients on all rows
  peeling,       ///< each step selects k coordinates by the exponential mechanism and adds noise to these only
  select_fit,    ///< support selected once, then noisy gradients on it
  kt_output,     ///< support selected once, then output perturbation of the minimiser on it
  kt_teacher,    ///< a student learns from select_fit's predictions on public rows
  kt_paper,      ///< knowledge transfer as published: without a proven guarantee
  frank_wolfe,   ///< Frank-Wolfe on an l1 ball, vertices selected by the exponential mechanism
  two_stage,     ///< support selected once, then objective perturbation
};
[[nodiscard]] std::string_view method_name(Method method);
[[nodiscard]] std::optional<Method> find_method(std::string_view name);
/// All methods, in the order in which tables list them.
[[nodiscard]] std::span<const Method> all_methods();

/// The privacy budget. Without a budget a fit is the non-private limit of its method: no noise, no clipping.
struct Budget {
  double epsilon = 1, delta = 1e-5;
};

/// Called with the number of passes over the rows so far and the current coefficients; for loss curves and progress.
using Watch = std::function<void(double passes, const Weights& w)>;

/// What a fit is asked to do. All settings are public.
struct FitSettings {
  Method method = Method::select_fit;
  std::optional<Budget> budget;
  std::uint32_t nonzeros = 10;  ///< k
  Adjacency adjacency = Adjacency::add_remove;
  // Unset values follow from the method's rule, which reads public numbers only.
  std::optional<std::uint32_t> steps{};
  std::optional<double> step_size{};  ///< in units of 1 / (curvature * row bound^2)
  std::optional<double> l1_radius{};  ///< for frank_wolfe only
  /// Releases that the budget has already paid for (the scales of the columns). The method may spend the rest.
  std::vector<GaussianRelease> paid_before{};
  bool is_unproven_allowed = false;
  Watch watch{};
  std::function<bool()> is_stopped{};  ///< asked between steps; true ends the fit without a model
};

/// The outcome of a fit.
struct FitResult {
  Weights w;
  double z = 0;          ///< noise multiplier of the gradients, or of the one released vector; 0: no noise
  double epsilon = 0;    ///< delivered at the budget's delta; infinite without a budget
  double step_size = 0;  ///< as in FitSettings
  std::uint32_t steps = 0;
  double passes = 0;  ///< passes over the rows
  bool is_proven = true;
};

/// Fits k coefficients to the rows of a sample.
/// Privacy   (epsilon, delta) for one row, where the sample's count, the bounds and every setting are public. The cost
///           that the meter recorded, including `paid_before`, is compared with the budget before anything is returned.
/// Refuses   fit.bad_nonzeros, accountant.*, fit.bad_rows, fit.bad_steps, fit.unproven, fit.no_minimum, fit.overspent,
///           fit.no_budget_left; fit.bad_bound: a bound, step size, radius or l2 weight that is not a number or is
///           outside the range that the arithmetic allows; fit.bad_scale: the same for a scale derived from them;
///           fit.diverged: a coefficient is not finite; fit.stopped.
[[nodiscard]] Result<FitResult> fit(const Sample& sample, const FitSettings& settings, Coins& coins);

/// The number of nonzero coefficients when the caller does not set it, chosen by a rule on public numbers, and the
/// reason in words.
struct NonzerosChoice {
  std::uint32_t count = 1;
  std::string why;
};
[[nodiscard]] NonzerosChoice choose_nonzeros(double rows, double columns, double epsilon);

/// The method for a problem of this size, chosen by a rule on public numbers, and the reason in words.
struct MethodChoice {
  Method method = Method::select_fit;
  std::string why;
};
[[nodiscard]] MethodChoice choose_method(double rows, double columns, double epsilon, const PublicBounds& bounds);

}  // namespace sotto::analyzer::central
