// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The HTML page of a learned model, written by `sotto estimate`, `sotto simulate` and `sotto report`.

#include <span>
#include <string>

#include "sotto/analyzer/model/model.hpp"

namespace sotto::analyzer::html {

/// A model with everything that a reader needs to judge it, as one page: the verdict and its reason, coefficients with
/// intervals, votes, the sources of error, the privacy statement, what was sent, assumed and refused, and the command
/// that makes it again. `truth`: for a simulated fleet, the true function at the points of the model's curve.
[[nodiscard]] std::string model_page(const Model& model, std::span<const double> truth = {});

}  // namespace sotto::analyzer::html
