// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <span>
#include <string>

#include "sotto/analyzer/model/model.hpp"

namespace sotto::analyzer::html {

/// A model with everything that a reader needs to judge it, as one page: the verdict and why, coefficients with
/// intervals, votes, where the error comes from, the privacy statement, what was sent, assumed and refused, and how to
/// make it again. `truth`: the true function at the points of the model's curve, of a simulated fleet.
[[nodiscard]] std::string model_page(const Model& model, std::span<const double> truth = {});

}  // namespace sotto::analyzer::html
