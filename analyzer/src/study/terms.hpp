// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Reads the tables of a study file that describe the fleet and its readings, and how a device finds its vote.

#include "sotto/analyzer/study/study.hpp"
#include "study_table.hpp"

namespace sotto::analyzer {

/// Reads [study], [[feature]] or [feature], and [target]. The table keeps the first error.
[[nodiscard]] StudyTerms read_terms(StudyTable& root);

/// Reads how a device finds its vote from [question]: selector, cohort and, for Lasso and SCAD, keep, lambda or noise,
/// pick, visits.
[[nodiscard]] VoteRecipe read_recipe(StudyTable& question, const StudyTerms& terms, std::uint32_t features);

}  // namespace sotto::analyzer
