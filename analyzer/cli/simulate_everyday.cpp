// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <chrono>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "files.hpp"
#include "interrupt.hpp"
#include "model_text.hpp"
#include "number_column.hpp"
#include "owner_only.hpp"
#include "say.hpp"
#include "simulate.hpp"
#include "simulate_fleet.hpp"
#include "sotto/analyzer/channel/epsilon.hpp"
#include "sotto/analyzer/compile/read_study.hpp"
#include "sotto/analyzer/data/words.hpp"
#include "sotto/analyzer/model/model_file.hpp"
#include "sotto/analyzer/model/verdict.hpp"
#include "sotto/analyzer/simulate/everyday_world.hpp"
#include "sotto/analyzer/simulate/regression_run.hpp"
#include "sotto/analyzer/simulate/summary.hpp"
#include "study_directory.hpp"
#include "talk.hpp"

// `sotto simulate` of everyday questions: repeats of a fleet, the errors of the estimates by name.
namespace sotto::cli {
namespace {

using analyzer::Error;
using analyzer::EverydayOptions;
using analyzer::Model;
using analyzer::Result;

/// Errors by name, in the order of their first appearance.
class Errors {
 public:
  void add(const analyzer::NamedErrors& errors) {
    for (const auto& [name, value] : errors) {
      auto at = std::ranges::find(all_, name, &Named::name);
      if (at == all_.end()) at = all_.insert(all_.end(), {name, {}});
      at->values.push_back(value);
    }
  }
  [[nodiscard]] Json json() const {
    Json out = Json::object();
    for (const Named& of : all_) {
      const analyzer::Summary s = analyzer::summarize(of.values);
      out[of.name] = {{"mean", s.mean}, {"sd", s.sd}, {"median", s.median}};
    }
    return out;
  }
  void print() const {
    for (const Named& of : all_) {
      const analyzer::Summary s = analyzer::summarize(of.values);
      say("  {:<22} {:.4f}  (sd {:.4f}, median {:.4f})\n", of.name, s.mean, s.sd, s.median);
    }
  }

 private:
  struct Named {
    std::string name;
    std::vector<double> values;
  };
  std::vector<Named> all_;
};

std::string everyday_command(const SimulateOptions& o) {
  std::string text = fmt::format("sotto simulate --protocol {} --epsilon {:g}", o.protocol, o.epsilon);
  if (o.data.empty()) {
    text += fmt::format(" --users {}", o.users);
    if (o.protocol == "number")
      text += fmt::format(" --law {} --range-sd {:g} --samples {}", o.law, o.range_sd, o.samples);
    if (o.protocol == "count") text += fmt::format(" --mean {:g}", o.mean);
    if (o.protocol == "category") text += fmt::format(" --categories {} --zipf {:g}", o.categories, o.zipf);
    if (o.protocol == "crosstab") text += fmt::format(" --association {:g}", o.association);
    if (o.protocol == "top") text += fmt::format(" --of {} --zipf {:g}", o.of, o.zipf);
    if (o.protocol == "event") text += fmt::format(" --share {:g}", o.share);
  } else {
    text += shell_option("--data", o.data) + shell_option("--target", o.target);
    if (!o.columns.empty()) text += shell_option("--columns", o.columns);
    if (o.protocol == "top") text += " --of " + o.of;
    if (!o.user_column.empty()) text += shell_option("--user-column", o.user_column);
  }
  if (o.mechanism != "default") text += " --mechanism " + o.mechanism;
  if (o.protocol == "top" && o.of == "string") text += fmt::format(" --length {}", o.length);
  if (o.protocol == "number" && o.periods == 1)
    text +=
        fmt::format(" --quantiles {}", o.quantiles.empty() ? "none" : fmt::format("{}", fmt::join(o.quantiles, ",")));
  if (o.tight) text += " --tight";
  if (o.bins != 0) text += fmt::format(" --bins {}", o.bins);
  if (o.periods > 1) text += fmt::format(" --periods {}", o.periods);
  if (o.empty > 0) text += fmt::format(" --empty {:g}", o.empty);
  if (o.dropout > 0) text += fmt::format(" --dropout {:g}", o.dropout);
  return text + fmt::format(" --seed {} --repeat {}", o.seed, o.repeat);
}

Result<analyzer::Done> write_everyday_run(const SimulateOptions& o, const std::string& study,
                                          const analyzer::RegressionRun& run, const Json& result) {
  const std::filesystem::path directory(o.out);
  if (const auto done = write_file(directory / "study.toml", study); !done) return done;
  if (const auto done = write_bytes(directory / "manifest.bin", run.compiled.manifest); !done) return done;
  for (std::size_t i = 0; i < run.record.rounds.size(); ++i) {
    const auto done = write_bytes(round_path(directory, static_cast<std::uint32_t>(i + 1)), run.record.rounds[i]);
    if (!done) return done;
  }
  if (!run.record.rounds.empty()) {
    const auto done = write_study_sums(directory, study, run.compiled.manifest, run.record.rounds);
    if (!done) return done;
  }
  if (const auto done = write_file(directory / "result.json", json_text(result)); !done) return done;
  return write_model(directory, run.model);
}

}  // namespace

int simulate_everyday(const SimulateOptions& o) {
  const auto stop = [&o](const Error& error) {
    return refuse(error, o.json,
                  error.code == "simulate.stopped" ? interrupted
                  : error.code.starts_with("io.")  ? input_output
                                                   : refused);
  };
  const OwnerOnly owner_only(!o.data.empty());
  if (const auto epsilon = analyzer::epsilon_from_nats(o.epsilon, "--epsilon"); !epsilon) return stop(epsilon.error());
  if (o.empty >= 1) {
    return stop(Error{"simulate.bad_empty", "no device would have a reading", fmt::format("{}", o.empty),
                      "give --empty a share below 1"});
  }
  EverydayOptions options = everyday_of(o);
  analyzer::NumberColumn column;
  analyzer::WordRows words;
  const bool is_word = o.protocol == "category" || o.protocol == "crosstab" || o.protocol == "top";
  if (!o.data.empty() && is_word) {
    std::vector<std::string> names{o.target};
    if (o.protocol == "crosstab") names.push_back(o.columns);
    Result<analyzer::WordRows> read = analyzer::read_words(o.data, names, o.user_column);
    if (!read) return stop(read.error());
    words = std::move(read).value();
    options.words = &words;
  } else if (!o.data.empty()) {
    Result<analyzer::NumberColumn> read = read_number_column(o.data, o.target, o.user_column, o.table.leave_out);
    if (!read) return stop(read.error());
    column = std::move(read).value();
    options.column = &column;
    std::size_t most = 1;
    for (const std::vector<double>& held : column.readings) most = std::max(most, held.size());
    options.samples = static_cast<std::uint32_t>(std::min<std::size_t>(most, 1024));
  }
  std::optional<DirectoryLock> lock;
  if (!o.out.empty()) {
    if (const auto made = make_directory(o.out); !made) return stop(made.error());
    Result<DirectoryLock> taken = DirectoryLock::take(o.out);
    if (!taken) return stop(taken.error());
    lock.emplace(std::move(taken).value());
    if (const auto free = may_write_run(o.out, true); !free) return stop(free.error());
  }
  const auto began = std::chrono::steady_clock::now();
  constexpr double k_progress_steps = 1000;
  Progress progress("simulating", static_cast<std::uint64_t>(k_progress_steps * o.repeat), o.json);
  const Interrupt interrupt;
  Errors errors;
  std::vector<analyzer::Verdict> verdicts;
  std::optional<analyzer::RegressionRun> first;
  std::string first_study;
  std::uint64_t reports = 0;
  for (std::uint32_t r = 0; r < o.repeat; ++r) {
    options.seed = repeat_seed(o.seed, r);
    const auto world = analyzer::everyday_world(options);
    if (!world) return stop(world.error());
    const std::string text = world.value()->study();
    const auto study = analyzer::read_study(text, "the simulated study");
    if (!study) return stop(study.error());
    auto run = analyzer::run_regression(
        study.value(), *world.value(),
        {.seed = options.seed,
         .dropout = o.dropout,
         .threads = o.threads,
         .directory = r == 0 ? o.out : "",
         .command = everyday_command(o),
         .progress = [&](double share) { progress.at(static_cast<std::uint64_t>(k_progress_steps * (r + share))); },
         .is_stopped = Interrupt::came});
    if (!run) {
      progress.finish();
      return stop(run.error());
    }
    errors.add(world.value()->measure(run.value().model.everyday));
    verdicts.push_back(run.value().model.verdict);
    reports += run.value().record.reports;
    if (r == 0) {
      first = std::move(run).value();
      first_study = text;
    }
  }
  progress.finish();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  const Model& model = first->model;
  Json counts = {{"learned", 0}, {"uncertain", 0}, {"cannot learn", 0}, {"not measured", 0}};
  for (const analyzer::Verdict verdict : verdicts) {
    Json& count = counts[std::string(analyzer::verdict_text(verdict))];
    count = count.get<int>() + 1;
  }
  const Json json = {{"protocol", model.protocol},
                     {"why_protocol", model.why_protocol},
                     {"verdict", analyzer::verdict_text(analyzer::judge_all(verdicts))},
                     {"verdicts", counts},
                     {"metrics", errors.json()},
                     {"everyday", Json::parse(analyzer::model_json(model)).value("everyday", Json::object())},
                     {"reports", {{"sent_now", reports}, {"bytes_per_report", model.bytes_per_report}}},
                     {"privacy",
                      {{"epsilon_declared", model.epsilon},
                       {"epsilon_delivered", model.epsilon_delivered},
                       {"delta", model.delta},
                       {"statement", model.privacy}}},
                     {"assumed_public", model.assumed_public},
                     {"repeat", o.repeat},
                     {"seed", o.seed},
                     {"command", everyday_command(o)},
                     {"timing", {{"seconds", seconds}, {"threads", o.threads}}}};
  if (!o.out.empty()) {
    if (const auto written = write_everyday_run(o, first_study, *first, json); !written) return stop(written.error());
  }
  if (o.json) {
    print_json(json);
    return done;
  }
  print_model(model);
  say("\n{} repeat{} in {:.1f} s: {} learned, {} uncertain, {} cannot learn\n", o.repeat, o.repeat == 1 ? "" : "s",
      seconds, counts["learned"].get<int>(), counts["uncertain"].get<int>(), counts["cannot learn"].get<int>());
  errors.print();
  if (!o.out.empty()) say("\npage        {}\n", (std::filesystem::path(o.out) / "report.html").string());
  return done;
}

}  // namespace sotto::cli
