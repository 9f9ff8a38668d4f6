// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The stage between devices in words and in JSON: what `sotto study` plans, and what a model says.

#include "json.hpp"
#include "sotto/analyzer/model/model.hpp"
#include "sotto/analyzer/study/study.hpp"

namespace sotto::cli {

/// Nothing for a study without the stage.
void print_between_plan(const analyzer::Study& study);
[[nodiscard]] Json between_plan_json(const analyzer::Study& study);
/// What a cohort of the stage is asked; `index` counts from the stage's first cohort.
[[nodiscard]] std::string between_cohort_text(const analyzer::Study& study, std::size_t index);
/// Nothing for a model without the stage.
void print_between(const analyzer::Model& model);

}  // namespace sotto::cli
