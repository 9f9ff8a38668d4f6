// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/analyzer/study/study.hpp"
#include "study_table.hpp"

namespace sotto::analyzer {

/// Reads [study], [[feature]] or [feature], and [target]. Errors stick in the table.
[[nodiscard]] StudyTerms read_terms(StudyTable& root);

/// Reads how a vote is found from [question]: selector, cohort and, for Lasso and SCAD, keep, lambda or noise, pick, visits.
[[nodiscard]] VoteRecipe read_recipe(StudyTable& question, const StudyTerms& terms, std::uint32_t features);

}  // namespace sotto::analyzer
