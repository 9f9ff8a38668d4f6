// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// How well the stage between devices did, by the truth of a synthetic fleet or on devices that were not asked.

#include <cstdint>
#include <optional>
#include <span>

#include "sotto/analyzer/model/model.hpp"
#include "sotto/analyzer/simulate/fleet_data.hpp"

namespace sotto::analyzer {

struct LevelMetrics {
  Verdict verdict = Verdict::cannot_learn;
  /// Of a synthetic fleet: the share of the columns with an effect that were found, how many without one were, and how
  /// many intervals of those found hold the truth.
  std::optional<double> found_share, false_found;
  double found = 0, covered = 0;
  std::optional<double> r2;  ///< of the levels of further devices, around their mean; nothing without a model
};

/// The share of the variance of devices' levels that the stage's model explains, with a level of its own.
[[nodiscard]] double level_r2(const FleetData& data, std::uint64_t first, std::uint64_t count, const Between& model);

/// Against the effects of the last columns of `features`.
[[nodiscard]] LevelMetrics against_level_truth(const Between& model, std::span<const double> truth,
                                               std::uint32_t features);

}  // namespace sotto::analyzer
