// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "fit.hpp"
#include "interrupt.hpp"
#include "owner_only.hpp"
#include "sotto/analyzer/central/predict.hpp"
#include "talk.hpp"

// `sotto fit`: validates methods, fits the released model and writes the results.
namespace sotto::cli {
namespace {

namespace central = analyzer::central;
using analyzer::Error;
using analyzer::Result;

central::FitSettings settings_of(const FitOptions& o, central::Method method,
                                 const std::vector<central::GaussianRelease>& paid) {
  central::FitSettings s;
  s.method = method;
  if (!o.no_privacy) s.budget = central::Budget{*o.epsilon, o.delta};
  s.nonzeros = o.nonzeros.value_or(1);
  s.adjacency = adjacency_of(o);
  s.paid_before = paid;
  s.steps = o.steps;
  s.step_size = o.step_size;
  s.l1_radius = o.l1_radius;
  s.is_unproven_allowed = o.unproven;
  return s;
}

/// A model that nobody has seen has told nothing about the rows: whoever stops has to know that there is none.
constexpr const char* k_no_model = "no model was written or shown, so that nothing of the budget is spent";
Error stopped() { return {"fit.stopped", "stopped on request", "", ""}; }

/// The fits of one command, with common progress.
class FitRun {
 public:
  FitRun(const FitOptions& options, Progress& progress) : o_(options), progress_(progress) {}

  /// Cross-validates one method, in all repeats.
  Result<analyzer::Done> validate(const central::PreparedData& data, MethodResult& result) {
    const central::Problem& problem = data.problem;
    for (std::uint32_t r = 0; r < o_.repeat; ++r) {
      const central::FitSettings settings = settings_of(o_, result.method, data.paid);
      const auto made = cross_validate(problem, settings, r);
      if (!made) return made.error();
      for (const central::Fitness& fold : made.value().folds) {
        result.loss.push_back(fold.loss);
        result.error.push_back(fold.error);
      }
      if (r == 0) {
        for (const central::CurvePoint& at : made.value().curve) result.curve.emplace_back(at.passes, at.loss);
      }
      result.last = made.value().last;
      result.seconds = made.value().seconds;
      if (!o_.limits || o_.no_privacy) continue;
      central::FitSettings limit = settings;
      limit.budget.reset();
      limit.steps.reset();
      const auto without = cross_validate(problem, limit, r);
      if (!without) return without.error();
      for (const central::Fitness& fold : without.value().folds) result.limit.push_back(fold.loss);
    }
    return analyzer::Done{};
  }

  /// Fits to synthetic rows, which are drawn anew in every repeat.
  Result<analyzer::Done> repeat_synthetic(const SyntheticSize& size, MethodResult& result) {
    for (std::uint32_t r = 0; r < o_.repeat; ++r) {
      std::vector<double> truth;
      const central::PreparedData data = synthetic_data(size, o_, data_seed(r), truth);
      const auto began = std::chrono::steady_clock::now();
      central::Coins coins(o_.seed ? std::optional(*o_.seed + r) : std::nullopt);
      auto made = central::fit(central::all_rows(data.problem), settings_of(o_, result.method, {}), coins);
      if (!made) return made.error();
      result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
      result.last = std::move(made).value();
      result.relative_error.push_back(central::relative_error(result.last.w, truth));
      if (!step(1)) return stopped();
      done_ += 1;
    }
    return analyzer::Done{};
  }

  [[nodiscard]] std::uint64_t data_seed(std::uint32_t repeat) const { return o_.seed.value_or(1) + repeat; }

 private:
  Result<central::Validation> cross_validate(const central::Problem& problem, const central::FitSettings& settings,
                                             std::uint32_t r) {
    auto made =
        central::cross_validate(problem, settings, o_.folds, o_.seed ? std::optional(*o_.seed + r) : std::nullopt,
                                [this](double share) { return step(share); });
    done_ += 1;
    return made;
  }
  bool step(double share) {
    progress_.at(static_cast<std::uint64_t>(1000 * (done_ + share)));
    return !Interrupt::came();
  }

  const FitOptions& o_;
  Progress& progress_;
  double done_ = 0;
};

/// Whether both names lead to the same bytes. Only what can be read twice is compared.
bool is_same_data(const std::string& one, const std::string& other) {
  namespace fs = std::filesystem;
  if (one == other) return true;
  std::error_code failed;
  if (!fs::is_regular_file(one, failed) || !fs::is_regular_file(other, failed)) return false;
  if (fs::equivalent(one, other, failed)) return true;
  if (fs::file_size(one, failed) != fs::file_size(other, failed)) return false;
  std::ifstream first(one, std::ios::binary), second(other, std::ios::binary);
  const std::istreambuf_iterator<char> end;
  return first && second &&
         std::equal(std::istreambuf_iterator<char>(first), end, std::istreambuf_iterator<char>(second), end);
}

Result<analyzer::Done> check_options(const FitOptions& o) {
  if (o.data.empty() == o.synthetic.empty())
    return Error{"fit.no_data", "give either a data file or --synthetic", "",
                 "sotto fit --help shows what is accepted"};
  if (!o.synthetic.empty() && o.loss == "logistic")
    return Error{"fit.bad_synthetic", "the target of synthetic rows is a number", "--loss logistic",
                 "use linear or huber"};
  if (!o.test.empty() && (o.scale == "rows" || o.libsvm))
    return Error{"fit.bad_test", "--test reads a CSV file for models of standardised or unscaled columns", o.test,
                 "leave --test out, or fit a CSV file with --scale standard"};
  if (!o.test.empty() && !o.no_privacy && is_same_data(o.data, o.test))
    return Error{"fit.test_is_data", "--test names the rows that are to be protected: an error on them is not private",
                 o.test, "name a file of other rows, which are public, or leave --test out"};
  if (!o.table.positive.empty() && (o.loss == "linear" || o.loss == "huber"))
    return Error{"fit.bad_positive", "--positive makes a class of the target, and the loss is for a number",
                 "--loss " + o.loss, "leave one of them out"};
  const bool says_number = o.target_kind == "number" || o.target_kind == "count";
  const bool is_class = o.loss == "logistic" || !o.table.positive.empty();
  const bool is_number = o.loss == "linear" || o.loss == "huber";
  if ((says_number && is_class) || (o.target_kind == "class" && is_number))
    return Error{"fit.bad_kind", "two options say different things of the target",
                 fmt::format("--target-kind {} and {}", o.target_kind,
                             o.loss.empty() ? "--positive " + o.table.positive : "--loss " + o.loss),
                 "leave one of them out"};
  if (!o.no_privacy && !o.epsilon)
    return Error{"fit.no_epsilon", "no privacy budget is given", "",
                 "give --epsilon, or --no-privacy for a fit without noise and clipping"};
  return o.out.empty() ? analyzer::Done{} : check_out(o.out);
}

/// What a model without features errs: the target's variance, or the share of the smaller class.
double baseline_of(const central::Problem& problem) {
  const auto n = static_cast<double>(problem.y.size());
  double mean = 0, square = 0;
  for (const float y : problem.y) mean += y / n;
  if (problem.loss == central::Loss::logistic) return std::min(mean, 1 - mean);
  for (const float y : problem.y) square += (y - mean) * (y - mean) / n;
  return square;
}

/// `interrupt` begins when the rows are read: from then on Ctrl-C asks.
Result<FitOutcome> make_outcome(const FitOptions& given, std::optional<Interrupt>& interrupt) {
  if (const auto good = check_options(given); !good) return good.error();
  FitOptions o = given;  // with what rules fill in
  const auto began = std::chrono::steady_clock::now();
  FitOutcome outcome;
  outcome.is_synthetic = !o.synthetic.empty();
  SyntheticSize size;
  std::vector<double> truth;
  central::PreparedData data;
  if (outcome.is_synthetic) {
    const auto read = synthetic_size(o.synthetic);
    if (!read) return read.error();
    size = read.value();
    data = synthetic_data(size, o, o.seed.value_or(1), truth);
  } else {
    auto read = file_data(o);
    if (!read) return read.error();
    data = std::move(read).value();
    outcome.notes = data.notes;
    outcome.warnings = data.warnings;
  }
  const central::Problem& problem = data.problem;
  outcome.is_regression = problem.loss != central::Loss::logistic;
  outcome.baseline = baseline_of(problem);
  const auto rows = static_cast<double>(problem.x.size()), columns = static_cast<double>(problem.x.columns());
  const double epsilon = o.epsilon.value_or(std::numeric_limits<double>::infinity());
  central::NonzerosChoice nonzeros{o.nonzeros.value_or(1), "as given"};
  if (!o.nonzeros) nonzeros = central::choose_nonzeros(rows, columns, epsilon);
  o.nonzeros = nonzeros.count;

  const central::MethodChoice choice =
      o.method == "auto" ? central::choose_method(rows, columns, epsilon, problem.bounds)
                         : central::MethodChoice{*central::find_method(o.method), "The method was named."};
  for (const central::Method method : central::all_methods()) {
    const bool is_allowed = method != central::Method::kt_paper || o.unproven;
    if (method == choice.method || (o.compare && is_allowed)) outcome.methods.emplace_back().method = method;
  }
  const bool is_validated = outcome.is_synthetic || o.folds > 0;
  const std::size_t each =
      outcome.methods.size() * o.repeat * (o.limits && !o.no_privacy && !outcome.is_synthetic ? 2 : 1);
  Progress progress("fitting", is_validated ? 1000 * each : 0, o.json);
  interrupt.emplace();
  FitRun run(o, progress);
  for (MethodResult& result : outcome.methods) {
    if (!is_validated) break;
    const auto done = outcome.is_synthetic ? run.repeat_synthetic(size, result) : run.validate(data, result);
    if (!done) return done.error();
  }
  // The model that is released: one more fit on all rows, with coins of its own.
  constexpr std::uint64_t k_release_stream = 0x72656c65617365;  // "release"
  central::Coins coins(o.seed, k_release_stream);
  const central::FitSettings settings = settings_of(o, choice.method, data.paid);
  const auto made = central::fit(central::all_rows(problem), settings, coins);
  progress.finish();
  if (!made) return made.error();
  if (Interrupt::came()) return stopped();
  const auto fits = static_cast<std::uint32_t>(1 + (is_validated ? each * (outcome.is_synthetic ? 1 : o.folds) : 0));
  outcome.model = central::describe_fit(data, settings, made.value(), o.seed.has_value(), fits);
  if (!outcome.model.is_finite())
    return Error{"fit.diverged", "a coefficient or the intercept is not a finite number", outcome.model.method,
                 "check the deviations of --scales, --step-size and --l2"};
  // A method's passes and steps are those of the model that is released, wherever they are told.
  for (MethodResult& result : outcome.methods)
    if (result.method == choice.method) result.last = made.value();
  outcome.model.why_method = choice.why;
  outcome.model.why_nonzeros = nonzeros.why;
  outcome.model.command = command_of(given);
  outcome.model.made_by = "sotto " SOTTO_VERSION;
  if (!o.test.empty()) {
    const auto tested = central::test_fit(outcome.model, o.test);
    if (!tested) return tested.error();
    outcome.model.test = tested.value();
    outcome.model.assumed_public.push_back(
        fmt::format("the rows of {}, on which the error was measured: none of them is a row that is to be protected",
                    tested.value().file));
  }
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return outcome;
}

}  // namespace

int run_fit(const FitOptions& o) {
  const auto stop = [&o](Error error) {
    if (error.code == "fit.stopped") {
      error.what = fmt::format("stopped on request: {}", k_no_model);
      error.fix = o.out.empty() ? "start again" : "start again; what was in " + o.out + " before is as it was";
      return refuse(error, o.json, interrupted);
    }
    return refuse(error, o.json, error.code.starts_with("io.") ? input_output : refused);
  };
  Interrupt::tell_at_end(k_no_model);
  const OwnerOnly owner_only(o.synthetic.empty());  // the page holds validation numbers, which no epsilon covers
  std::optional<Interrupt> interrupt;               // until the end: what is printed is printed whole
  const auto made = make_outcome(o, interrupt);
  if (!made) return stop(made.error());
  const FitOutcome& outcome = made.value();
  if (!o.out.empty()) {
    if (const auto written = write_out(o, outcome); !written) return stop(written.error());
  }
  if (o.out.empty()) Interrupt::tell_at_end("what of the model was shown counts as released");
  if (o.json) {
    print_json(outcome_json(o, outcome));
  } else {
    tell_notes(outcome.notes, outcome.warnings);
    print_outcome(o, outcome);
  }
  return done;
}

}  // namespace sotto::cli
