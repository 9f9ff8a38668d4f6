// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The HTML page (report.html) of `sotto fit`.

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "sotto/analyzer/central/model.hpp"

namespace sotto::analyzer::html {

/// One row of the comparison of methods.
struct FitRow {
  std::string method, guarantee;
  double loss = 0, loss_sd = 0;
  double error = 0;  ///< misclassification rate; NaN for a regression
  double limit = 0;  ///< loss of the same method without privacy; NaN: not measured
  double passes = 0, seconds = 0;
};

/// The content of the page.
struct FitPage {
  central::FittedModel model;
  std::vector<FitRow> rows;                      ///< the method, or all methods of a comparison; empty: no validation
  std::vector<std::pair<double, double>> curve;  ///< passes, loss on held-out rows
  std::uint32_t folds = 0;
  double baseline =
      std::numeric_limits<double>::quiet_NaN();  ///< error of the mean or of the larger class; NaN: not known
};

/// A fitted model as one page: coefficients, loss by pass, comparison of methods, what is private and what is not, and
/// the command that makes it again.
[[nodiscard]] std::string fit_page(const FitPage& page);

}  // namespace sotto::analyzer::html
