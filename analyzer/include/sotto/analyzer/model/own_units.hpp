// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Models whose coefficients are per device standard deviation: what they are in units of measurement once scales are
/// known, and what they predict for rows of which the device is known.

#include <string>
#include <vector>

#include "sotto/analyzer/data/scales_file.hpp"
#include "sotto/analyzer/model/model.hpp"
#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer {

/// The model with `per_unit` and `intercept` in the units of the scales: a deviation is the standard deviation that a
/// column has on a typical device, not among all rows of the fleet. Nothing else changes.
/// Refuses   model.stated_units: the coefficients have units already; model.log_of_count; data.missing_scale: a variable of the model, or
///           the target, has no line.
[[nodiscard]] Result<Model> with_scales(Model model, const ColumnScales& scales);

/// Rows of known devices.
struct OwnRows {
  std::vector<std::string> device;          ///< of each row
  std::vector<std::vector<double>> values;  ///< of the model's variables, in their order; NaN: missing
  std::vector<double> target;               ///< NaN: missing; empty: not known for any row
};

/// Predictions from rows that are centred and scaled as a device does it: every variable by the mean and the standard
/// deviation of the device's own rows, clipped at 4, 0 where it is missing or constant. The level and the scale of the
/// target are those of the device's rows of which it is known; without any column for it, predictions are in device
/// standard deviations from the device's own mean. A logistic model gives the chance of the upper class.
/// Refuses   model.stated_units: devices did not use their own units; predict.few_rows: a device has fewer than three
///           rows, or fewer than three of which the target is known.
[[nodiscard]] Result<std::vector<double>> predict_own(const Model& model, const OwnRows& rows);

}  // namespace sotto::analyzer
