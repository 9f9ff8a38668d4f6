// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <vector>

#include "sotto/analyzer/plan/outlook.hpp"

// What several fleets say together.
namespace sotto::analyzer {

struct Spread {
  double mean = 0, deviation = 0;
};
[[nodiscard]] Spread spread_of(const std::vector<double>& values);

/// The value below which this share lies, between the two nearest.
[[nodiscard]] double quantile_of(std::vector<double> values, double share);

/// The word for fleets with these errors, where a model that says nothing has the error `zero`.
[[nodiscard]] Prospect prospect_of(const Spread& errors, double zero);

/// Fills in error, range and word.
void tell_errors(const std::vector<double>& errors, Outlook& out);

/// A refusal that says that this fleet is too small for the protocol, not that the question is wrong.
[[nodiscard]] bool is_small_fleet(const Error& error);

}  // namespace sotto::analyzer
