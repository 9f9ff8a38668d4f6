// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/analyzer/study/study.hpp"
#include "study_table.hpp"

namespace sotto::analyzer {

/// Reads [question] into the study: kind, features, the sentence, and the randomizer's parameters. What the file leaves
/// open is chosen for the least error at this epsilon. Errors stick in the table.
void read_question(StudyTable& table, EpsilonNano epsilon, Study& study);

}  // namespace sotto::analyzer
