// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// A plan as one HTML file: verdict, protocols, curves with the fleet's own point, and what wrong guesses would do.

#include <string>

#include "sotto/analyzer/plan/plan.hpp"

namespace sotto::analyzer::html {

/// `rate`: devices that report in a day; 0: not known.
[[nodiscard]] std::string plan_page(const PlanRequest& request, const Plan& plan, double rate);

}  // namespace sotto::analyzer::html
