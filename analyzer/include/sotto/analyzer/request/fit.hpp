// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// A fit as it is asked for in options: `sotto fit` and the estimators of the Python package run it.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sotto/analyzer/central/model.hpp"
#include "sotto/analyzer/central/validate.hpp"
#include "sotto/analyzer/data/table_reader.hpp"
#include "sotto/analyzer/html/fit_page.hpp"
#include "sotto/analyzer/request/json.hpp"
#include "sotto/analyzer/request/table_options.hpp"
#include "sotto/analyzer/request/watch.hpp"

namespace sotto::analyzer::request {

struct FitOptions {
  std::string data, synthetic;
  TableReader rows;  ///< unless empty: rows in memory, which `data` names
  TableOptions table;
  std::string method = "auto", loss, target_kind = "auto", adjacency = "add-remove";
  std::string target = "y", scale = "standard", transform = "none", scales;
  std::optional<double> row_bound, value_bound, target_bound, step_size, l1_radius, epsilon;
  std::optional<std::uint32_t> steps, features;
  std::optional<std::uint64_t> seed;
  double delta = 1e-5, l2 = 0, moments_share = 0.1;
  std::optional<std::uint32_t> nonzeros;
  std::uint32_t folds = 5, repeat = 1;
  bool libsvm = false, independent = false, no_privacy = false, unproven = false, compare = false, limits = false;
  std::string test;
};

/// The validation results of one method.
struct MethodResult {
  central::Method method{};
  std::vector<double> loss, error, limit;  ///< one value for each fold and repeat
  std::vector<double> relative_error;      ///< synthetic rows only: one for each repeat
  central::FitResult last;
  std::vector<std::pair<double, double>> curve;
  double seconds = 0;  ///< time of one fit
};

/// Everything that is printed or written.
struct FitOutcome {
  std::vector<MethodResult> methods;  ///< the chosen method, or all methods of a comparison
  central::FittedModel model;
  bool is_regression = false, is_synthetic = false;
  double baseline = 0;  ///< error of the mean, or of the larger class, on all rows: exact, and as private as they are
  std::vector<std::string> notes, warnings;  ///< about the file, for whoever holds it; never written to --out
  double seconds = 0, seconds_reading = 0;   ///< in all, and of them for reading and scaling the rows
};

/// The options of `sotto fit`, but those of its output.
void add_fit_options(CLI::App& verb, FitOptions& options);
/// Reads options in the words of the command line.
/// Refuses   usage.
[[nodiscard]] Result<FitOptions> read_fit_words(std::span<const std::string> words);

/// Whether the options fit together; nothing is read but what --test must not be.
/// Refuses   fit.no_data, fit.bad_synthetic, fit.bad_test, fit.test_is_data, fit.bad_positive, fit.bad_kind,
///           fit.no_epsilon.
[[nodiscard]] Result<Done> check_fit(const FitOptions& options);
/// Reads the rows, validates the methods, and fits the model that is released.
/// Refuses   as check_fit; what reading and fitting refuse; fit.stopped, with nothing released.
[[nodiscard]] Result<FitOutcome> make_fit(const FitOptions& options, const RunWatch& watch);

/// The command line that repeats this fit.
[[nodiscard]] std::string command_of(const FitOptions& options);
/// The JSON object for scripts.
[[nodiscard]] Json outcome_json(const FitOptions& options, const FitOutcome& outcome);
/// The results of the method whose model is released, if methods were validated.
[[nodiscard]] const MethodResult* chosen_method(const FitOutcome& outcome);
/// The content of report.html: of a private model, nothing that is less private than the model.
[[nodiscard]] html::FitPage page_of(const FitOptions& options, const FitOutcome& outcome);

}  // namespace sotto::analyzer::request
