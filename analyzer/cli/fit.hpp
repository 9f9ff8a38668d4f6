// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "json.hpp"
#include "sotto/analyzer/central/model.hpp"
#include "sotto/analyzer/central/validate.hpp"
#include "sotto/analyzer/html/fit_page.hpp"

namespace sotto::cli {

struct FitOptions {
  std::string data, synthetic;
  std::string method = "auto", loss, adjacency = "add-remove";
  std::string target = "y", leave_out, scale = "standard", transform = "none", scales;
  std::optional<double> row_bound, value_bound, target_bound, step_size, l1_radius, epsilon;
  std::optional<std::uint32_t> steps, features;
  std::optional<std::uint64_t> seed;
  double delta = 1e-5, l2 = 0, moments_share = 0.1;
  std::uint32_t nonzeros = 0, folds = 5, repeat = 1;
  bool libsvm = false, independent = false, no_privacy = false, unproven = false, compare = false, limits = false,
       json = false;
  std::string out;
};

/// What one method did.
struct MethodResult {
  analyzer::central::Method method{};
  std::vector<double> loss, error, limit;  ///< one for each fold and repeat
  std::vector<double> relative_error;      ///< synthetic rows only: one for each repeat
  analyzer::central::FitResult last;
  std::vector<std::pair<double, double>> curve;
  double seconds = 0;  ///< of one fit
};

/// Everything that is printed.
struct FitOutcome {
  std::vector<MethodResult> methods;  ///< the chosen one, or all of a comparison
  analyzer::central::FittedModel model;
  bool is_regression = false, is_synthetic = false;
  double seconds = 0;
};

int run_fit(const FitOptions& options);

[[nodiscard]] analyzer::central::Adjacency adjacency_of(const FitOptions& options);

/// What --synthetic asks for.
struct SyntheticSize {
  std::size_t rows = 0, columns = 0, nonzeros = 0;
};
/// Refuses   fit.bad_synthetic; fit.too_large: more values than a machine should be asked to make up.
[[nodiscard]] analyzer::Result<SyntheticSize> synthetic_size(const std::string& text);
/// Rows of a seed, dressed as a file's, and the coefficients that they came from.
[[nodiscard]] analyzer::central::PreparedData synthetic_data(const SyntheticSize& size, const FitOptions& options,
                                                             std::uint64_t seed, std::vector<double>& truth);
[[nodiscard]] analyzer::Result<analyzer::central::PreparedData> file_data(const FitOptions& options);

/// The places that --out writes to: fit.json and report.html.
/// Refuses   fit.out_in_use: there is a model or a page there that an earlier fit did not write.
[[nodiscard]] analyzer::Result<analyzer::Done> check_out(const std::string& out);
/// Refuses   as check_out, store.busy, io.*.
[[nodiscard]] analyzer::Result<analyzer::Done> write_out(const FitOptions& options, const FitOutcome& outcome);

[[nodiscard]] std::string command_of(const FitOptions& options);
[[nodiscard]] Json outcome_json(const FitOptions& options, const FitOutcome& outcome);
void print_outcome(const FitOptions& options, const FitOutcome& outcome);
[[nodiscard]] analyzer::html::FitPage page_of(const FitOptions& options, const FitOutcome& outcome);

}  // namespace sotto::cli
