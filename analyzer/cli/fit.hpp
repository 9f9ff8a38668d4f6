// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// `sotto fit`: options and results that its source files share.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "json.hpp"
#include "sotto/analyzer/central/model.hpp"
#include "sotto/analyzer/central/validate.hpp"
#include "sotto/analyzer/html/fit_page.hpp"
#include "table_options.hpp"

namespace sotto::cli {

struct FitOptions {
  std::string data, synthetic;
  TableOptions table;
  std::string method = "auto", loss, target_kind = "auto", adjacency = "add-remove";
  std::string target = "y", scale = "standard", transform = "none", scales;
  std::optional<double> row_bound, value_bound, target_bound, step_size, l1_radius, epsilon;
  std::optional<std::uint32_t> steps, features;
  std::optional<std::uint64_t> seed;
  double delta = 1e-5, l2 = 0, moments_share = 0.1;
  std::optional<std::uint32_t> nonzeros;
  std::uint32_t folds = 5, repeat = 1;
  bool libsvm = false, independent = false, no_privacy = false, unproven = false, compare = false, limits = false,
       json = false;
  std::string out, test;
};

/// The validation results of one method.
struct MethodResult {
  analyzer::central::Method method{};
  std::vector<double> loss, error, limit;  ///< one value for each fold and repeat
  std::vector<double> relative_error;      ///< synthetic rows only: one for each repeat
  analyzer::central::FitResult last;
  std::vector<std::pair<double, double>> curve;
  double seconds = 0;  ///< time of one fit
};

/// Everything that is printed or written.
struct FitOutcome {
  std::vector<MethodResult> methods;  ///< the chosen method, or all methods of a comparison
  analyzer::central::FittedModel model;
  bool is_regression = false, is_synthetic = false;
  double baseline = 0;  ///< error of the mean, or of the larger class, on all rows: exact, and as private as they are
  std::vector<std::string> notes, warnings;  ///< about the file, for whoever holds it; never written to --out
  double seconds = 0;
};

int run_fit(const FitOptions& options);

[[nodiscard]] analyzer::central::Adjacency adjacency_of(const FitOptions& options);

/// The size that --synthetic asks for.
struct SyntheticSize {
  std::size_t rows = 0, columns = 0, nonzeros = 0;
};
/// Parses --synthetic.
/// Refuses   fit.bad_synthetic; fit.too_large: too many values.
[[nodiscard]] analyzer::Result<SyntheticSize> synthetic_size(const std::string& text);
/// Synthetic rows in the form of a file's, and their true coefficients.
[[nodiscard]] analyzer::central::PreparedData synthetic_data(const SyntheticSize& size, const FitOptions& options,
                                                             std::uint64_t seed, std::vector<double>& truth);
[[nodiscard]] analyzer::Result<analyzer::central::PreparedData> file_data(const FitOptions& options);

/// Checks that fit.json and report.html may be written to --out.
/// Refuses   fit.out_in_use: a model or page is there that no earlier fit wrote.
[[nodiscard]] analyzer::Result<analyzer::Done> check_out(const std::string& out);
/// Writes fit.json and report.html.
/// Refuses   as check_out, store.busy, io.*.
[[nodiscard]] analyzer::Result<analyzer::Done> write_out(const FitOptions& options, const FitOutcome& outcome);

[[nodiscard]] std::string command_of(const FitOptions& options);
[[nodiscard]] Json outcome_json(const FitOptions& options, const FitOutcome& outcome);
void print_outcome(const FitOptions& options, const FitOutcome& outcome);
[[nodiscard]] analyzer::html::FitPage page_of(const FitOptions& options, const FitOutcome& outcome);

}  // namespace sotto::cli
