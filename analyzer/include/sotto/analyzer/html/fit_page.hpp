// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sotto/analyzer/central/model.hpp"

namespace sotto::analyzer::html {

/// One method of a comparison.
struct FitRow {
  std::string method, guarantee;
  double loss = 0, loss_sd = 0;
  double error = 0;  ///< NaN: a regression
  double limit = 0;  ///< the same method without privacy; NaN: not measured
  double passes = 0, seconds = 0;
};

/// What a page about a fit shows.
struct FitPage {
  central::FittedModel model;
  std::vector<FitRow> rows;  ///< the method itself, or all of a comparison; empty: nothing was validated
  std::vector<std::pair<double, double>> curve;  ///< passes, loss on held-out rows
  std::uint32_t folds = 0;
};

/// A fitted model as one page: coefficients, loss by pass, comparison, what is private and what is not, how to make it
/// again.
[[nodiscard]] std::string fit_page(const FitPage& page);

}  // namespace sotto::analyzer::html
