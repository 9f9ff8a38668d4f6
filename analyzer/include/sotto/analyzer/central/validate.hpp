// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// @file
/// Cross-validation of a fit: how well it predicts rows that it has not seen. It is not private.

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "sotto/analyzer/central/fit.hpp"

namespace sotto::analyzer::central {

struct CurvePoint {
  double passes = 0;
  double loss = 0;  ///< on held-out rows
};

/// Fits on all folds but one, measured on that one. Not private: every number here comes from rows without noise.
struct Validation {
  std::vector<Fitness> folds;
  std::vector<CurvePoint> curve;  ///< of the first fold
  FitResult last;                 ///< of the last fold, for its multiplier and passes
  double seconds = 0;             ///< of one fit
};

/// `seed` also draws the folds, which are the same for every method; without one, they are drawn by the operating system.
/// `progress` is told the share that is done, and may ask to stop (false).
/// Refuses   as fit; fit.stopped; fit.bad_folds: fewer than 2, or more than rows.
[[nodiscard]] Result<Validation> cross_validate(const Problem& problem, const FitSettings& settings,
                                                std::uint32_t folds, std::optional<std::uint64_t> seed,
                                                const std::function<bool(double share)>& progress = {});

}  // namespace sotto::analyzer::central
