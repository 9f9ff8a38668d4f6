// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// For models of studies in which each device scales its own rows, so that coefficients are for one standard deviation
/// on the device: conversion to units of measurement with given scales, and predictions for rows of known devices.

#include <string>
#include <vector>

#include "sotto/analyzer/data/scales_file.hpp"
#include "sotto/analyzer/model/model.hpp"
#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer {

/// Sets `per_unit` and `intercept` of the model in the units of the scales, and nothing else. The deviation of a scale
/// is the standard deviation of the column on a typical device, not over all rows of the fleet.
/// Refuses   model.stated_units: the coefficients have units already; model.log_of_count: the target is a count;
///           data.missing_scale: there is no scale for a variable of the model or for the target.
[[nodiscard]] Result<Model> with_scales(Model model, const ColumnScales& scales);

/// Rows of known devices.
struct OwnRows {
  std::vector<std::string> device;          ///< device of each row
  std::vector<std::vector<double>> values;  ///< the model's variables in each row, in their order; NaN: missing
  std::vector<double> target;               ///< NaN: missing; empty: not known for any row
};

/// Predictions from rows that are centred and scaled as a device does it: each variable by the mean and the standard
/// deviation of the device's own rows, clipped at 4 standard deviations, and 0 where it is missing or constant. The
/// mean and the standard deviation of the target are taken from the device's rows whose target is known. Without a
/// target column, predictions are in standard deviations from the device's own mean. A logistic model gives the
/// probability of the upper class.
/// Refuses   model.stated_units: devices did not use their own units; predict.few_rows: a device has fewer than three
///           rows, or fewer than three rows whose target is known.
[[nodiscard]] Result<std::vector<double>> predict_own(const Model& model, const OwnRows& rows);

}  // namespace sotto::analyzer
