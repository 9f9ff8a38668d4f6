// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <thread>

#include <fmt/format.h>

#include "bench.hpp"
#include "number_column.hpp"
#include "say.hpp"
#include "simulate.hpp"
#include "sotto/analyzer/compile/read_study.hpp"
#include "sotto/analyzer/model/verdict.hpp"
#include "sotto/analyzer/simulate/everyday_world.hpp"
#include "sotto/analyzer/simulate/regression_run.hpp"
#include "sotto/analyzer/simulate/summary.hpp"
#include "talk.hpp"

// `sotto bench columns`: mean, spread, quantiles and distribution of columns of real files, beside the truth.
namespace sotto::cli {
namespace {

using analyzer::Result;

struct BenchColumnsOptions {
  std::vector<std::string> columns;
  std::vector<double> epsilons{1, 2, 4};
  std::uint64_t seed = 1;
  std::uint32_t repeat = 10, threads = 1;
  bool json = false;
};

/// FILE:COLUMN, or FILE:COLUMN:USERS where the rows of a user are one device's.
struct Asked {
  std::string file, column, user;
  [[nodiscard]] std::string name() const {
    const std::string stem = std::filesystem::path(file).filename().string();
    return fmt::format("{} {}{}", stem.substr(0, stem.find('.')), column, user.empty() ? "" : ", by " + user);
  }
};

Result<Asked> read_asked(const std::string& text) {
  const std::size_t last = text.rfind(':');
  const std::size_t before = last == std::string::npos || last == 0 ? std::string::npos : text.rfind(':', last - 1);
  if (last == std::string::npos || last == 0 || last + 1 == text.size())
    return analyzer::Error{"usage", "a column is named by its file and its name", text,
                           "write FILE:COLUMN, or FILE:COLUMN:USERS with the column that says whose a row is"};
  if (before == std::string::npos) return Asked{text.substr(0, last), text.substr(last + 1), ""};
  return Asked{text.substr(0, before), text.substr(before + 1, last - before - 1), text.substr(last + 1)};
}

/// Of one column at one epsilon: what every repeat estimated, in the column's own unit, and its truth.
struct Measured {
  std::map<std::string, std::vector<double>> estimates, truths, errors;
  std::map<std::string, int> verdicts;
};

Result<Measured> measure(const BenchColumnsOptions& o, const analyzer::NumberColumn& column, double epsilon) {
  Measured out;
  analyzer::EverydayOptions options{.kind = "number", .epsilon = epsilon};
  std::size_t most = 1;
  for (const std::vector<double>& held : column.readings) most = std::max(most, held.size());
  options.samples = static_cast<std::uint32_t>(std::min<std::size_t>(most, 1024));
  options.quantiles = {0.5, 0.9};
  options.column = &column;
  const double steps = analyzer::steps_of(column);
  for (std::uint32_t r = 0; r < o.repeat; ++r) {
    options.seed = repeat_seed(o.seed, r);
    const auto world = analyzer::everyday_world(options);
    if (!world) return world.error();
    analyzer::RegressionRunOptions how;
    how.seed = options.seed;
    how.threads = o.threads;
    const auto run =
        analyzer::run_regression(must(analyzer::read_study(world.value()->study(), "the study")), *world.value(), how);
    if (!run) return run.error();
    const analyzer::Everyday& everyday = run.value().model.everyday;
    analyzer::Everyday whole = everyday;  // the truth of all readings, also where the estimate is of clipped ones
    whole.clip_low = -HUGE_VAL;
    whole.clip_high = HUGE_VAL;
    const std::vector<double> truths = world.value()->truths(whole);
    for (std::size_t i = 0; i < truths.size(); ++i) {
      std::string name = everyday.estimates[i].name;
      if (name == "clipped mean") continue;
      if (name.ends_with("standard deviation")) name = "sd";
      out.estimates[name].push_back(everyday.estimates[i].value / steps);
      out.truths[name].push_back(truths[i] / steps);
    }
    for (const auto& [name, value] : world.value()->measure(everyday)) out.errors[name].push_back(value);
    ++out.verdicts[std::string(analyzer::verdict_text(run.value().model.verdict))];
  }
  return out;
}

Json summary_json(const std::vector<double>& values) {
  const analyzer::Summary s = analyzer::summarize(values);
  return {{"mean", s.mean}, {"sd", s.sd}, {"median", s.median}};
}

int bench_columns(const BenchColumnsOptions& o) {
  Json rows = Json::array();
  for (const std::string& text : o.columns) {
    const Result<Asked> asked = read_asked(text);
    if (!asked) return refuse(asked.error(), o.json, usage);
    const auto column = read_number_column(asked.value().file, asked.value().column, asked.value().user);
    if (!column) return refuse(column.error(), o.json, column.error().code.starts_with("io.") ? input_output : refused);
    if (!o.json) say("{}, {} devices\n", asked.value().name(), column.value().readings.size());
    for (const double epsilon : o.epsilons) {
      const Result<Measured> measured = measure(o, column.value(), epsilon);
      if (!measured) return refuse(measured.error(), o.json, refused);
      Json row = {{"column", asked.value().name()},
                  {"devices", column.value().readings.size()},
                  {"epsilon", epsilon},
                  {"verdicts", measured.value().verdicts}};
      std::string line = fmt::format("  epsilon {:<4g}", epsilon);
      for (const char* name : {"mean", "sd", "p50", "p90"}) {
        const auto at = measured.value().estimates.find(name);
        if (at == measured.value().estimates.end()) continue;
        const double truth = analyzer::summarize(measured.value().truths.at(name)).mean;
        const analyzer::Summary s = analyzer::summarize(at->second);
        line += fmt::format("  {} {:.4g} ({:.2g}; true {:.4g})", name, s.mean, s.sd, truth);
        row[name] = {{"estimate", summary_json(at->second)}, {"truth", truth}};
      }
      for (const char* name : {"histogram_l1", "coverage"}) {
        const auto at = measured.value().errors.find(name);
        if (at == measured.value().errors.end()) continue;
        line += fmt::format("  {} {:.3f}", name, analyzer::summarize(at->second).mean);
        row[name] = summary_json(at->second);
      }
      for (const auto& [verdict, count] : measured.value().verdicts) line += fmt::format("  {} {}", verdict, count);
      if (!o.json) say("{}\n", line);
      rows.push_back(std::move(row));
    }
  }
  if (o.json) print_json({{"bench", "columns"}, {"repeat", o.repeat}, {"seed", o.seed}, {"rows", rows}});
  return done;
}

}  // namespace

void add_bench_columns(CLI::App& bench, Action& action) {
  auto o = std::make_shared<BenchColumnsOptions>();
  o->threads = std::max(1u, std::thread::hardware_concurrency());
  CLI::App* table =
      bench.add_subcommand("columns", "mean, spread, quantiles and distribution of columns of files, beside the truth");
  table->add_option("columns", o->columns, "FILE:COLUMN, every row a device, or FILE:COLUMN:USERS")->required();
  table->add_option("--epsilon", o->epsilons, "privacy of one report")->delimiter(',')->capture_default_str();
  table->add_option("--repeat", o->repeat, "studies of the same devices")
      ->check(CLI::Range(1u, 10000u))
      ->capture_default_str();
  table->add_option("--seed", o->seed)->capture_default_str();
  table->add_flag("--json", o->json, "one JSON object on stdout");
  table->callback([o, &action] { action = [o] { return bench_columns(*o); }; });
}

}  // namespace sotto::cli
