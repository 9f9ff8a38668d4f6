// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "methods.hpp"

// Private selection of the support, and the budgets of methods that begin with it.
namespace sotto::analyzer::central {

/// A budget counted in `precision`, for methods that combine mechanisms of different kinds: a Gaussian release with
/// multiplier z costs 1/z^2, and rho-zCDP costs 2 rho.
struct PrecisionBudget {
  double total = 0;          ///< 0: no privacy
  bool is_gaussian = false;  ///< the support is selected from a noisy vector: the exact Gaussian formula holds
};

/// Whether the support is selected from one vector with Gaussian noise, or else by the exponential mechanism on values
/// that are clipped one by one: whichever has less noise in one coordinate.
[[nodiscard]] bool chooses_by_gaussian(const Problem& problem, std::uint32_t k);

/// The budget of `choose_support` followed by Gaussian noise.
[[nodiscard]] Result<PrecisionBudget> precision_budget(const FitWork& work);

/// The k coordinates with the largest gradient at w = 0, selected for `precision` of the budget (0: exactly). Charges
/// the meter.
[[nodiscard]] std::vector<std::uint32_t> choose_support(const FitWork& work, std::uint32_t k, double precision);

/// The unit of choose_exp for which the privacy loss lies in an interval of length `range`, where one row changes a
/// score by at most `reach`. At most 2^62. The meter is charged for the unit that is returned, so a range that would
/// need a larger unit exceeds the budget and is refused.
[[nodiscard]] std::uint64_t exponential_unit(double reach, double range);

/// Peeling: the exponential mechanism k times, each time without the coordinates chosen before, for `rho` of zCDP
/// altogether. Charges the meter. One row changes a score by at most `reach`.
[[nodiscard]] std::vector<std::uint32_t> peel(const FitWork& work, std::vector<std::int64_t> scores, std::uint32_t k,
                                              double rho, std::int64_t reach);

/// Expands coefficients on some columns to all columns.
[[nodiscard]] Weights widen(std::span<const double> on_support, std::span<const std::uint32_t> support,
                            std::size_t columns);

}  // namespace sotto::analyzer::central
