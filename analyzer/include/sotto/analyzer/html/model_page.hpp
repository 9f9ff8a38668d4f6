// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The HTML page of a learned model, written by `sotto estimate`, `sotto simulate` and `sotto report`.

#include <string>
#include <vector>

#include "sotto/analyzer/model/model.hpp"

namespace sotto::analyzer::html {

/// An error on rows that taught nothing, beside that of the model.
struct ComparedError {
  std::string name;
  double error = 0;
};

/// What a simulation knows beside its model, and no study of real devices does.
struct SimulationFacts {
  /// One true coefficient.
  struct True {
    std::uint32_t feature = 0;
    std::string name;
    double value = 0;  ///< in the units of the model's
  };
  std::vector<True> coefficients;     ///< those that are not zero, strongest first
  bool knows_coefficients = false;    ///< all others are zero
  std::vector<double> curve;          ///< the true function at the points of the model's curve
  std::string measure;                ///< of the errors, such as "squared error"
  std::string rows;                   ///< on which they were measured
  std::vector<ComparedError> errors;  ///< the model's first; empty: nothing was measured
  std::string levels;                 ///< what the model leaves out of differences between devices; may be empty
};

/// A model with everything that a reader needs to judge it, as one page: one sentence for everyone, the verdict and its
/// reason, coefficients with intervals, votes, the sources of error, the privacy statement, what was sent, assumed and
/// refused, and the command that makes it again. `facts` are shown beside what was learned.
[[nodiscard]] std::string model_page(const Model& model, const SimulationFacts& facts = {});

}  // namespace sotto::analyzer::html
