// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// `sotto simulate --effects`: the features of a synthetic fleet by name, with their true coefficients.

#include <optional>
#include <string>
#include <vector>

#include "sotto/analyzer/result.hpp"
#include "sotto/analyzer/study/terms.hpp"

namespace sotto::analyzer::request {

/// The features of a fleet, and what moves its target.
struct Effects {
  std::vector<double> effects;     ///< per standard deviation of the feature, where the residual has that of --noise
  std::vector<Quantity> features;  ///< `scale` is one standard deviation, here and below
  std::optional<Quantity> target;  ///< of the line that has the target's name

  [[nodiscard]] std::uint32_t nonzeros() const;
};

/// Reads a CSV file with the columns name, effect, unit, offset and deviation; a line that has the target's name
/// describes the target, and its effect is not read.
/// Refuses   as read_fields; simulate.bad_effects: with the line.
[[nodiscard]] Result<Effects> read_effects(const std::string& file, const std::string& target);

}  // namespace sotto::analyzer::request
