// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The terms of an everyday question: a mean, a distribution, a count, an event. Such a study has a table [question]
/// whose kind is a protocol of the registry with facts.everyday, and needs nothing of a regression.
///
/// One frame, and a family of kinds for each sort of answer. A family provides:
///   study      its terms in EverydayTerms, and a reader of its keys in src/study/everyday_table.cpp
///   protocol   a folder in src/protocol with a row for each kind: the plan's cohorts, and a RoundProtocol that fills
///              Model::everyday, the verdict and its reason itself (nothing validates it afterwards)
///   simulate   an EverydayWorld (simulate/everyday_world.hpp), which writes the study, holds the devices' answers and
///              measures the estimates, and its case in simulate/everyday_world.cpp
/// Rounds, aggregates, store, estimate, model.json, page and metrics follow from these.

#include <cstdint>
#include <string>
#include <vector>

namespace sotto::analyzer {

/// The terms of number, count and event.
struct NumberTerms {
  std::int32_t low = 0, high = 1;  ///< what devices may read; beyond it a reading is clipped
  std::vector<double> quantiles;   ///< ascending, each in (0, 1)
  std::uint32_t bins = 32;         ///< of the distribution that is shown
  std::uint32_t rule = 0;          ///< k_rule_... of several readings (wire/recipe.hpp)
  std::int32_t missing = 0;        ///< stands for a device without a reading
  bool tight = false;              ///< most of the range is used, so that no device looks for a narrower one
};

/// The terms of category and crosstab: names, and for a cross-tab those of its rows and columns instead. Cells go row by
/// row.
struct CategoryTerms {
  std::vector<std::string> names, rows, columns;
};

/// The terms of top.
struct TopTerms {
  bool strings = false;      ///< else ids of 64 bits
  std::uint32_t length = 8;  ///< bytes of an item; longer ones are cut
};

/// The terms of an everyday question, besides those of every study.
struct EverydayTerms {
  std::string unit;           ///< of the answer, for readers: "ms"
  std::string every;          ///< what a period is: "week"; empty: the study asks once
  std::uint32_t periods = 1;  ///< each device answers in one of them
  NumberTerms number{};
  CategoryTerms category{};
  TopTerms top{};
};

}  // namespace sotto::analyzer
