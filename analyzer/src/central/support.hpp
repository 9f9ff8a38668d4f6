// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "methods.hpp"

namespace sotto::analyzer::central {

/// Budgets of methods with parts of different kinds are counted in `precision`: a Gaussian release with multiplier z costs 1/z^2, and
/// rho-zCDP costs 2 rho.
struct PrecisionBudget {
  double total = 0;  ///< 0 without privacy
  bool is_gaussian =
      false;  ///< the coordinates are chosen from a noisy vector, so that the exact formula holds for everything
};

/// Is the support chosen from one vector with Gaussian noise? Else by the exponential mechanism on values that are clipped one by
/// one. Whichever has less noise in one coordinate.
[[nodiscard]] bool chooses_by_gaussian(const Problem& problem, std::uint32_t k);

/// What the budget amounts to for `choose_support` followed by Gaussian noise.
[[nodiscard]] Result<PrecisionBudget> precision_budget(const FitWork& work);

/// The k coordinates with the largest gradient at zero, for `precision` of the budget (0: exactly). Charges the meter.
[[nodiscard]] std::vector<std::uint32_t> choose_support(const FitWork& work, std::uint32_t k, double precision);

/// The unit of choose_exp with which its privacy loss lies in an interval of length `range`, where a row moves a score by at most `reach`;
/// at most 2^62, so that the meter, which is told the unit, refuses a range that is smaller still.
[[nodiscard]] std::uint64_t exponential_unit(double reach, double range);

/// k times the exponential mechanism, each time without those chosen before, for `rho` altogether. The meter is charged. One row moves a
/// score by at most `reach`.
[[nodiscard]] std::vector<std::uint32_t> peel(const FitWork& work, std::vector<std::int64_t> scores, std::uint32_t k,
                                              double rho, std::int64_t reach);

/// Coefficients on some columns as coefficients of all.
[[nodiscard]] Weights widen(std::span<const double> on_support, std::span<const std::uint32_t> support,
                            std::size_t columns);

}  // namespace sotto::analyzer::central
