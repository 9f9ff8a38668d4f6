// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Cross-validation of `sotto fit`'s methods: held-out loss by fold, and the loss curve of a fit. Its numbers are
/// computed without noise and are not private.

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "sotto/analyzer/central/fit.hpp"

namespace sotto::analyzer::central {

/// A point of a loss curve.
struct CurvePoint {
  double passes = 0;
  double loss = 0;  ///< on held-out rows
};

/// Results of fits on all folds but one, measured on the held-out fold. Not private: every number is computed from rows
/// without noise.
struct Validation {
  std::vector<Fitness> folds;
  std::vector<CurvePoint> curve;  ///< loss curve of the first fold
  FitResult last;                 ///< fit of the last fold, for its noise multiplier and passes
  double seconds = 0;             ///< time of one fit
};

/// Cross-validates a method. `seed` also draws the folds, which are the same for every method; without a seed the
/// operating system draws them. `progress` is called with the share of work done, and returns false to stop.
/// Refuses   as fit; fit.stopped; fit.bad_folds: fewer than 2, or more than rows.
[[nodiscard]] Result<Validation> cross_validate(const Problem& problem, const FitSettings& settings,
                                                std::uint32_t folds, std::optional<std::uint64_t> seed,
                                                const std::function<bool(double share)>& progress = {});

}  // namespace sotto::analyzer::central
