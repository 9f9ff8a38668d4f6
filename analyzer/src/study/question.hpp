// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Reads the tables [question] and [protocol] of a study file.

#include "sotto/analyzer/study/study.hpp"
#include "study_table.hpp"

namespace sotto::analyzer {

/// Reads [question] into the study: kind, features, the question's sentence and the randomizer's parameters. Parameters
/// that the file does not state are chosen for the smallest error at this epsilon. The table keeps the first error.
void read_question(StudyTable& table, EpsilonNano epsilon, Study& study);

/// Reads [protocol] into study.regression: the protocol, and what the analyst knows or guesses in advance. Terms that
/// the file does not state are proposed from the others.
/// Reads the table [question] of an everyday kind, and [schedule], into study.regression, and plans it.
void read_everyday(StudyTable& root, StudyTable& table, EpsilonNano epsilon, const StudyPlanner& planner, Study& study);
/// Reads the keys of category, crosstab and top. Returns what a device answers, in words.
[[nodiscard]] std::string read_category(StudyTable& table, const std::string& kind, EverydayTerms& terms,
                                        std::uint32_t& features);
/// Whether the table asks for an everyday kind.
[[nodiscard]] bool asks_everyday(StudyTable& table);

/// Reads the table [between], if there is one, into terms whose protocol and units are chosen.
void read_between(StudyTable& root, const Study& study, RegressionTerms& terms);

void read_protocol(StudyTable& root, StudyTable& table, EpsilonNano epsilon, const StudyPlanner& planner, Study& study);

/// The number of features, from `features`, from the list `names` or from the [[feature]] tables.
[[nodiscard]] std::uint32_t read_features(StudyTable& table, Study& study, std::uint32_t least = 2);

}  // namespace sotto::analyzer
