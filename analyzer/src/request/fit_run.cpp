// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "fit_rows.hpp"
#include "sotto/analyzer/central/predict.hpp"

// A fit from its options to the released model: validates methods, and fits.
namespace sotto::analyzer::request {
namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point began) { return std::chrono::duration<double>(Clock::now() - began).count(); }

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

Error stopped() { return {"fit.stopped", "stopped on request", "", ""}; }

/// The fits of one command, with common progress.
class FitRun {
 public:
  /// `each`: the validations and repeats that there are.
  FitRun(const FitOptions& options, const RunWatch& watch, double each) : o_(options), watch_(watch), each_(each) {}

  /// Cross-validates one method, in all repeats.
  Result<Done> validate(const central::PreparedData& data, MethodResult& result) {
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
    return Done{};
  }

  /// Fits to synthetic rows, which are drawn anew in every repeat.
  Result<Done> repeat_synthetic(const SyntheticSize& size, MethodResult& result) {
    for (std::uint32_t r = 0; r < o_.repeat; ++r) {
      std::vector<double> truth;
      const central::PreparedData data = synthetic_data(size, o_, data_seed(r), truth);
      const auto began = Clock::now();
      central::Coins coins(o_.seed ? std::optional(*o_.seed + r) : std::nullopt);
      auto made = central::fit(central::all_rows(data.problem), settings_of(o_, result.method, {}), coins);
      if (!made) return made.error();
      result.seconds = seconds_since(began);
      result.last = std::move(made).value();
      result.relative_error.push_back(central::relative_error(result.last.w, truth));
      if (!step(1)) return stopped();
      done_ += 1;
    }
    return Done{};
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
    watch_.at((done_ + share) / (each_ + 1));  // and one more fit, whose model is released
    return !watch_.stopped();
  }

  const FitOptions& o_;
  const RunWatch& watch_;
  double each_;
  double done_ = 0;
};

/// What a model without features errs: the target's variance, or the share of the smaller class.
double baseline_of(const central::Problem& problem) {
  const auto n = static_cast<double>(problem.y.size());
  double mean = 0, square = 0;
  for (const float y : problem.y) mean += y / n;
  if (problem.loss == central::Loss::logistic) return std::min(mean, 1 - mean);
  for (const float y : problem.y) square += (y - mean) * (y - mean) / n;
  return square;
}

}  // namespace

Result<FitOutcome> make_fit(const FitOptions& given, const RunWatch& watch) {
  if (const auto good = check_fit(given); !good) return good.error();
  FitOptions o = given;  // with what rules fill in
  const auto began = Clock::now();
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
  outcome.seconds_reading = seconds_since(began);
  watch.begin();
  FitRun run(o, watch, static_cast<double>(is_validated ? each : 0));
  for (MethodResult& result : outcome.methods) {
    if (!is_validated) break;
    const auto done = outcome.is_synthetic ? run.repeat_synthetic(size, result) : run.validate(data, result);
    if (!done) return done.error();
  }
  // The model that is released: one more fit on all rows, with coins of its own.
  constexpr std::uint64_t k_release_stream = 0x72656c65617365;  // "release"
  central::Coins coins(o.seed, k_release_stream);
  central::FitSettings settings = settings_of(o, choice.method, data.paid);
  settings.is_stopped = watch.is_stopped;
  const auto made = central::fit(central::all_rows(problem), settings, coins);
  if (!made) return made.error();
  if (watch.stopped()) return stopped();
  watch.at(1);
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
  outcome.seconds = seconds_since(began);
  return outcome;
}

}  // namespace sotto::analyzer::request
