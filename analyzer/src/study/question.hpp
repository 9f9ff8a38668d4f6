// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/analyzer/study/study.hpp"
#include "study_table.hpp"

namespace sotto::analyzer {

/// Reads [question] into the study: kind, features, the sentence, and the randomizer's parameters. What the file leaves
/// open is chosen for the least error at this epsilon. Errors stick in the table.
void read_question(StudyTable& table, EpsilonNano epsilon, Study& study);

/// Reads [protocol] into study.regression: which protocol, and what the analyst knows or guesses beforehand. What the file leaves
/// open is proposed from the rest.
void read_protocol(StudyTable& table, EpsilonNano epsilon, const StudyPlanner& planner, Study& study);

/// Number of features, from `features`, from the list `names` or from the file's [[feature]] tables.
[[nodiscard]] std::uint32_t read_features(StudyTable& table, Study& study, std::uint32_t least = 2);

}  // namespace sotto::analyzer
