// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "json.hpp"
#include "sotto/analyzer/plan/plan.hpp"

namespace sotto::cli {

/// A plan with what it was made for.
struct PlanShown {
  const analyzer::PlanRequest& request;
  const analyzer::Plan& plan;
  double rate = 0;  ///< devices that report in a day; 0: not known
};

[[nodiscard]] Json plan_json(const PlanShown& shown);
void print_plan(const PlanShown& shown);

}  // namespace sotto::cli
