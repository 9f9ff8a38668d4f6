// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Turns the columns that a study names into features, where some hold words or make a feature of being missing.

#include "sotto/analyzer/study/study.hpp"
#include "study_table.hpp"

namespace sotto::analyzer {

/// Reads [levels] and study.missing_features into the terms. The table keeps the first error.
void read_columns(StudyTable& root, StudyTable& study, StudyTerms& terms);

/// Replaces each column of study.features by its features, with their scales, and returns how many there are.
/// Errors are those of `table`, which names the features.
std::uint32_t expand_columns(StudyTable& table, std::uint32_t features, Study& study);

}  // namespace sotto::analyzer
