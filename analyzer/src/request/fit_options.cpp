// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "sotto/analyzer/request/fit.hpp"
#include "words.hpp"

// The options of `sotto fit`.
namespace sotto::analyzer::request {
namespace {

std::vector<std::string> method_names() {
  std::vector<std::string> names{"auto"};
  for (const auto method : central::all_methods()) names.emplace_back(central::method_name(method));
  return names;
}

/// The check of every option that takes a real number: CLI::Range and CLI::PositiveNumber accept NaN.
CLI::Validator real_number(double low = std::numeric_limits<double>::lowest(),
                           double high = std::numeric_limits<double>::max()) {
  return {[low, high](std::string& text) -> std::string {
            double value = 0;
            if (!CLI::detail::lexical_cast(text, value) || !std::isfinite(value))
              return fmt::format("{} is not a finite number", text);
            if (value >= low && value <= high) return {};
            return fmt::format("{} is not between {} and {}", text, low, high);
          },
          "FLOAT"};
}

void add_data(CLI::App& verb, FitOptions& o) {
  verb.add_option("data", o.data, "rows: CSV, or LIBSVM when the name ends in .libsvm or .svm; each may be gzip");
  verb.add_option("--synthetic", o.synthetic,
                  "N,D,S: independent U(-1,1) features with S coefficients from N(0,1), in place of data");
  verb.add_flag("--libsvm", o.libsvm, "read the file as LIBSVM, whatever its name");
  verb.add_option("--features", o.features,
                  "public number of features of a LIBSVM file: values with larger indices are dropped");
  verb.add_option("--target", o.target, "the target column")->capture_default_str();
  add_table_options(verb, o.table);
  verb.add_option("--scale", o.scale,
                  "standard: (x - offset)/deviation, clipped at 5 | rows: every row to Euclidean norm 1 | none")
      ->check(CLI::IsMember({"standard", "rows", "none"}))
      ->capture_default_str();
  verb.add_option("--transform", o.transform, "transform of the features: none | log, which is sign(x) log(1 + |x|)")
      ->check(CLI::IsMember({"none", "log"}))
      ->capture_default_str();
  verb.add_option(
      "--scales", o.scales,
      "public offsets and deviations: CSV with columns name, offset, deviation; without it they are measured "
      "with noise, for a share of the budget");
  verb.add_option("--moments-share", o.moments_share,
                  "share of the budget for offsets and deviations, without --scales")
      ->check(real_number(0.001, 0.5))
      ->capture_default_str();
  verb.add_option("--row-bound", o.row_bound, "public Euclidean norm of a typical row, from 1e-30 to 1e30")
      ->check(real_number());
  verb.add_option("--value-bound", o.value_bound, "public size of a large value, from 1e-30 to 1e30")
      ->check(real_number());
  verb.add_option("--target-bound", o.target_bound, "public standard deviation of the target, from 1e-30 to 1e30")
      ->check(real_number());
  verb.add_flag("--independent", o.independent, "features are known to be independent, so that few long steps suffice");
  // Options that describe or prepare the rows of a file do not apply to synthetic rows and are refused with them.
  for (const char* option :
       {"--libsvm", "--features", "--target", "--leave-out", "--levels", "--missing-feature", "--positive", "--scale",
        "--transform", "--scales", "--moments-share", "--row-bound", "--value-bound", "--target-bound"})
    verb.get_option(option)->excludes("--synthetic");
}

void add_budget(CLI::App& verb, FitOptions& o) {
  verb.add_option("--epsilon", o.epsilon, "privacy of one row, in nats")->check(real_number());
  verb.add_option("--delta", o.delta, "well below 1 / rows")->check(real_number())->capture_default_str();
  verb.add_option("--adjacency", o.adjacency,
                  "adjacency: add-remove, one row more or less | replace-one, the content of one row")
      ->check(CLI::IsMember({"add-remove", "replace-one"}))
      ->capture_default_str();
  verb.add_flag("--no-privacy", o.no_privacy, "the non-private limit of the method, without noise and clipping");
  verb.add_flag("--unproven", o.unproven, "allow dpsl-kt-paper, for which no privacy is proven");
}

}  // namespace

void add_fit_options(CLI::App& verb, FitOptions& o) {
  add_data(verb, o);
  verb.add_option("--method", o.method, "auto chooses by rows, features and epsilon")
      ->check(CLI::IsMember(method_names()))
      ->capture_default_str();
  verb.add_option("--loss", o.loss, "logistic, the default for files | linear, the default for --synthetic | huber")
      ->check(CLI::IsMember({"logistic", "linear", "huber"}));
  verb.add_option("--target-kind", o.target_kind,
                  "auto: as the loss says | number: the loss is linear | class: it is logistic | count: linear, of "
                  "log(1 + count)")
      ->check(CLI::IsMember({"auto", "number", "class", "count"}))
      ->excludes("--synthetic")
      ->capture_default_str();
  verb.add_option("--l2", o.l2, "weight of |w|^2 / 2")->check(real_number())->capture_default_str();
  verb.add_option("--nonzeros,--sparsity", o.nonzeros,
                  "number of nonzero coefficients; by a public rule if not given, sqrt(rows * epsilon) / 4");
  add_budget(verb, o);
  constexpr double k_min = central::k_bound_min, k_max = central::k_bound_max;
  verb.add_option("--steps", o.steps, "public number of steps; by rule if not given");
  verb.add_option("--step-size", o.step_size, "in units of 1 / (curvature * row bound^2); by rule if not given")
      ->check(real_number(k_min, k_max));
  verb.add_option("--l1-radius", o.l1_radius, "radius of frank-wolfe's l1 ball")->check(real_number(k_min, k_max));
  verb.add_option("--folds", o.folds, "folds of the cross-validation; 0: no validation")->capture_default_str();
  verb.add_option("--test", o.test,
                  "CSV file of rows that are public, none of which is to be protected: the model's error on them, "
                  "beside that of their mean or larger class, is as private as the model")
      ->excludes("--synthetic");
  verb.add_option("--repeat", o.repeat, "repetitions of the validation, with new folds and coins")
      ->check(CLI::Range(1u, 1000u))
      ->capture_default_str();
  verb.add_flag("--compare", o.compare, "compare all methods on the same folds, in one table");
  verb.add_flag("--limits", o.limits, "show for each method also its result without privacy");
  verb.add_option("--seed", o.seed, "repeatable coins, for rehearsals: the result is then not private")
      ->check(CLI::NonNegativeNumber);
}

Result<FitOptions> read_fit_words(std::span<const std::string> words) {
  FitOptions options;
  CLI::App app;
  add_fit_options(app, options);
  if (const auto read = parse_words(app, words); !read) return read.error();
  return options;
}

}  // namespace sotto::analyzer::request
