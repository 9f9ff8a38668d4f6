// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Published lower bounds of the squared error under local differential privacy: no protocol does better, up to a
/// constant.

#include <string>

#include "sotto/analyzer/plan/planned_fleet.hpp"

namespace sotto::analyzer {

/// What a device's epsilon protects.
enum class PrivateUnit : std::uint8_t {
  device,
  row,
  label,
  function,  ///< a row whose target is a function of its features
  answer,    ///< of an everyday question
};

struct LowerBound {
  double value = 0;     ///< of the metric that is planned, at most that of the zero model; without the unknown constant
  std::string formula;  ///< "s^2 / (n m epsilon^2)"
  std::string source;   ///< which theorem
  std::string caveat;   ///< where the theorem does not speak of this fleet; empty: it does
};

/// `zero` is the error of the zero model in `metric`.
[[nodiscard]] LowerBound lower_bound_of(const PlannedFleet& fleet, PrivateUnit unit, std::string_view metric,
                                        double zero);

}  // namespace sotto::analyzer
