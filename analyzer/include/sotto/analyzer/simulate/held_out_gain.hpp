// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// How well a model really predicts on devices that were not asked, which only a simulation can know: the number that
/// private validation estimates, and what a model in device units is worth in the units of a file.

#include <cstdint>
#include <vector>

#include "sotto/analyzer/data/standardise.hpp"
#include "sotto/analyzer/model/model.hpp"
#include "sotto/analyzer/simulate/fleet_data.hpp"
#include "sotto/row_units.hpp"

namespace sotto::analyzer {

/// The gain of a model on one device, in doubles: (A - B) / (A + B), or for classes the share told right less that of
/// the larger class. As the recipe `gain` computes it in these units, without clipping the result.
[[nodiscard]] double device_gain(const DeviceRows& rows, std::uint32_t features, const Model& model, RowUnits units);

/// What Validation::gain estimates, on devices first .. first + count - 1: the mean of device_gain(), or the gain of all
/// their rows together, as the validation says.
[[nodiscard]] double mean_gain(const FleetData& data, std::uint64_t first, std::uint64_t count, const Model& model,
                               RowUnits units);

/// The share of its rows that a device's own larger class tells wrong, on average over the same devices.
[[nodiscard]] double larger_class_error(const FleetData& data, std::uint64_t first, std::uint64_t count);

/// What turns coefficients per device standard deviation into those of standardised rows. On user i a coefficient is
/// s_iy / s_ij times as large; the one number that predicts best for all is sum(n_i s_ij s_iy) / sum(n_i s_ij^2).
/// Computed from the rows themselves: for measuring, not for release.
struct FileUnits {
  std::vector<double> factor;  ///< of each feature; 0: it varies on no device

  [[nodiscard]] static FileUnits of(const StandardRows& rows);
  /// The model with coefficients of standardised rows.
  [[nodiscard]] Model convert(Model model) const;
};

}  // namespace sotto::analyzer
