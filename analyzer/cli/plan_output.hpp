// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/analyzer/request/plan.hpp"

namespace sotto::cli {

using analyzer::request::PlanShown;

void print_plan(const PlanShown& shown);

}  // namespace sotto::cli
