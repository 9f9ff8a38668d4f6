// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <filesystem>
#include <memory>
#include <thread>

#include <fmt/format.h>

#include "bench.hpp"
#include "say.hpp"
#include "simulate.hpp"
#include "sotto/analyzer/channel/epsilon.hpp"
#include "sotto/analyzer/data/target_values.hpp"
#include "sotto/analyzer/simulate/model_simulation.hpp"
#include "sotto/analyzer/simulate/summary.hpp"
#include "talk.hpp"

// `sotto bench data`: errors of private models on files of real users, relative to non-private fits.
namespace sotto::cli {
namespace {

using analyzer::ModelSimulation;
using analyzer::RepeatResult;
using analyzer::Result;

constexpr std::string_view k_log_suffix = ":log", k_class_suffix = ":class";

struct BenchDataOptions {
  std::vector<std::string> files;
  std::vector<double> epsilons{1, 2, 4, 8};
  std::string user_column = "user", target = "y", protocol = "auto", centre = "own";
  std::uint32_t repeat = 5, threads = 1;
  std::uint64_t seed = 1;
  bool row_is_device = false, json = false;
};

/// For every repeat, the error relative to the pooled Lasso's on the same split; for classes, the misclassification
/// rate.
using Ratios = std::vector<double>;

struct FileResult {
  std::string name, protocol;
  std::uint64_t devices = 0;
  std::uint32_t features = 0;
  std::vector<Ratios> model;  ///< one entry for each epsilon
  Ratios mean, omp, local;
  bool is_class = false;  ///< then `mean` is the larger class, `omp` logistic regression, and `local` unused
};

std::string summary_text(const Ratios& ratios) {
  const analyzer::Summary s = analyzer::summarize(ratios);
  return fmt::format("{:.2f} ({:.2f})", s.mean, s.sd);
}

Json summary_json(const Ratios& ratios) {
  const analyzer::Summary s = analyzer::summarize(ratios);
  return {{"mean", s.mean}, {"sd", s.sd}, {"median", s.median}};
}

Result<FileResult> measure(const BenchDataOptions& o, std::string file, Progress& progress, double& done_runs) {
  FileResult out;
  analyzer::FleetSource source;
  if (file.ends_with(k_log_suffix)) {
    file.resize(file.size() - k_log_suffix.size());
    source.transform = analyzer::Transform::log;
  }
  if (file.ends_with(k_class_suffix)) {
    file.resize(file.size() - k_class_suffix.size());
    source.kind = analyzer::TargetKind::two_classes;
    out.is_class = true;
  }
  out.name = std::filesystem::path(file).filename().string();
  out.name = out.name.substr(0, out.name.find('.'));
  Result<analyzer::Table> table = analyzer::read_table(file, {o.user_column, o.target});
  if (!table) return table.error();
  source.table = o.row_is_device ? one_row_each(std::move(table).value()) : std::move(table).value();
  if (out.is_class) make_classes_by_mean(*source.table);
  source.target = o.target;
  out.features = static_cast<std::uint32_t>(source.table->features.size());
  analyzer::Assumptions assumptions;
  assumptions.units = o.centre == "own" ? RowUnits::own : o.centre == "device" ? RowUnits::centred : RowUnits::stated;
  ModelSimulation simulation(std::move(source), assumptions);
  out.devices = simulation.devices();
  out.model.resize(o.epsilons.size());
  for (std::uint32_t r = 0; r < o.repeat; ++r) {
    for (std::size_t e = 0; e < o.epsilons.size(); ++e) {
      analyzer::SimulationOptions run;
      run.epsilon = o.epsilons[e];
      run.seed = repeat_seed(o.seed, r);
      run.threads = o.threads;
      const Result<RepeatResult> made = simulation.run({o.protocol, false}, run);
      if (!made) return made.error();
      out.protocol = made.value().model.protocol;
      progress.at(static_cast<std::uint64_t>(++done_runs));
      if (out.is_class) {
        const analyzer::ClassErrors& errors = *made.value().classes;
        out.model[e].push_back(errors.model);
        if (e == 0) {
          out.mean.push_back(errors.chance);
          out.omp.push_back(errors.limit);
        }
        continue;
      }
      const analyzer::Baselines& known = *made.value().baselines;
      out.model[e].push_back(*made.value().model_mse / known.pooled_lasso_mse);
      if (e == 0) {
        out.mean.push_back(known.mean_mse / known.pooled_lasso_mse);
        out.omp.push_back(known.omp_mse / known.pooled_lasso_mse);
        out.local.push_back(known.local_lasso_median_mse / known.pooled_lasso_mse);
      }
    }
  }
  return out;
}

Json result_json(const BenchDataOptions& o, const std::vector<FileResult>& results) {
  Json rows = Json::array();
  for (const FileResult& r : results) {
    Json by_epsilon = Json::array();
    for (std::size_t e = 0; e < o.epsilons.size(); ++e)
      by_epsilon.push_back(
          {{"epsilon", o.epsilons[e]}, {r.is_class ? "test_error" : "test_mse_ratio", summary_json(r.model[e])}});
    Json not_private = {
        {"mean", summary_json(r.mean)}, {"omp", summary_json(r.omp)}, {"local_lasso_median", summary_json(r.local)}};
    if (r.is_class) not_private = {{"larger_class", summary_json(r.mean)}, {"logistic", summary_json(r.omp)}};
    rows.push_back({{"data", r.name},
                    {"protocol", r.protocol},
                    {"devices", r.devices},
                    {"features", r.features},
                    {"private", by_epsilon},
                    {"not_private", not_private}});
  }
  return {{"bench", "data"}, {"repeat", o.repeat}, {"seed", o.seed}, {"rows", rows}};
}

void print_rows(const BenchDataOptions& o, const std::vector<FileResult>& results, bool classes) {
  say("{:<18}{:>7}{:>6}  {:<12}", "data", "devices", "d", "protocol");
  for (const double e : o.epsilons) say("{:>15}", fmt::format("epsilon {:g}", e));
  say("{:>15}{:>15}{:>15}\n", classes ? "larger class" : "mean", classes ? "logistic" : "OMP, 20",
      classes ? "" : "local Lasso");
  for (const FileResult& r : results) {
    if (r.is_class != classes) continue;
    say("{:<18}{:>7}{:>6}  {:<12}", r.name, r.devices, r.features, r.protocol);
    for (const Ratios& ratios : r.model) say("{:>15}", summary_text(ratios));
    for (const Ratios* ratios : {&r.mean, &r.omp, &r.local}) {
      if (!ratios->empty()) say("{:>15}", summary_text(*ratios));
    }
    say("\n");
  }
}

void print_table(const BenchDataOptions& o, const std::vector<FileResult>& results) {
  if (std::ranges::any_of(results, &FileResult::is_class)) {
    print_rows(o, results, true);
    say("\nShare of held-out users' rows that are put into the wrong class: mean (sd) of {} splits. The last two "
        "columns are not "
        "private: always\nnaming the larger class, and a logistic regression on all training rows. A model without an "
        "intercept puts as "
        "many rows into the\nfirst class as there are among the training rows; that share, offsets, scales and rows "
        "per device are "
        "assumed public.\n\n",
        o.repeat);
  }
  if (std::ranges::all_of(results, &FileResult::is_class)) return;
  print_rows(o, results, false);
  say("\nSquared error on held-out users over that of a pooled Lasso without privacy on the same split: mean (sd) of "
      "{} "
      "splits.\nThe last three columns are not private: predicting the training mean, matching pursuit with 20 "
      "variables, "
      "and the median\nover users of a Lasso on a user's own rows. Offsets, scales and rows per device are computed "
      "from the "
      "training users:\nassumed public.\n",
      o.repeat);
}

int bench_data(const BenchDataOptions& o) {
  for (const double e : o.epsilons) {
    if (const auto checked = analyzer::epsilon_from_nats(e, "--epsilon"); !checked)
      return refuse(checked.error(), o.json);
  }
  std::vector<FileResult> results;
  Progress progress("measuring", o.files.size() * o.epsilons.size() * o.repeat, o.json);
  double done_runs = 0;
  for (const std::string& file : o.files) {
    Result<FileResult> made = measure(o, file, progress, done_runs);
    if (!made) {
      progress.finish();
      return refuse(made.error(), o.json, made.error().code.starts_with("io.") ? input_output : refused);
    }
    results.push_back(std::move(made).value());
  }
  progress.finish();
  if (o.json) {
    print_json(result_json(o, results));
  } else {
    print_table(o, results);
  }
  return done;
}

}  // namespace

void add_bench_data(CLI::App& bench, Action& action) {
  auto o = std::make_shared<BenchDataOptions>();
  o->threads = std::max(1u, std::thread::hardware_concurrency());
  CLI::App* verb =
      bench.add_subcommand("data", "what the default protocol learns from files of real users, in one table");
  verb->add_option("FILE", o->files,
                   "CSV, plain or gzip; with :log behind the name features become sign(x) log(1 + |x|); with :class "
                   "the target is one of two classes, above its mean or not")
      ->required();
  verb->add_option("--epsilon", o->epsilons, "privacy of one report, in nats; may be repeated")->capture_default_str();
  verb->add_option("--user-column", o->user_column, "the column that identifies the user of a row")
      ->capture_default_str();
  verb->add_flag("--row-is-device", o->row_is_device, "every row is a device of its own: item level");
  verb->add_option("--target", o->target, "the target column of the regression")->capture_default_str();
  const auto takes_tables = [](const analyzer::ProtocolFacts& f) { return f.takes_tables; };
  std::vector<std::string> protocols{"auto"};
  for (const analyzer::ProtocolFacts* facts : analyzer::protocol_facts()) {
    if (facts->takes_tables) protocols.emplace_back(facts->name);
  }
  verb->add_option("--protocol", o->protocol, "auto | " + analyzer::protocol_names(takes_tables, " | ", " | "))
      ->check(CLI::IsMember(protocols))
      ->capture_default_str();
  verb->add_option(
          "--centre", o->centre,
          "own: devices centre and scale their rows | device: they centre them, in scales of the file | fleet: "
          "offsets and scales of the file")
      ->check(CLI::IsMember({"own", "device", "fleet"}))
      ->capture_default_str();
  verb->add_option("--repeat", o->repeat, "splits into training and held-out users")
      ->check(CLI::Range(1u, 1000u))
      ->capture_default_str();
  verb->add_option("--seed", o->seed, "seed of the splits and the devices")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  verb->add_option("--threads", o->threads, "number of threads; does not change the result")
      ->check(CLI::Range(1u, 1024u));
  verb->add_flag("--json", o->json, "one JSON object on stdout");
  verb->callback([o, &action] { action = [o] { return bench_data(*o); }; });
}

}  // namespace sotto::cli
