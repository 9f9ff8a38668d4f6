// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <chrono>
#include <optional>

#include <fmt/format.h>

#include "files.hpp"
#include "interrupt.hpp"
#include "model_text.hpp"
#include "owner_only.hpp"
#include "say.hpp"
#include "simulate.hpp"
#include "sotto/analyzer/request/everyday.hpp"
#include "study_directory.hpp"
#include "talk.hpp"

// `sotto simulate` of everyday questions: what happens around the library's simulation.
namespace sotto::cli {
namespace {

using analyzer::Error;
using analyzer::Result;
using analyzer::request::EverydayOutcome;

Result<analyzer::Done> write_everyday_run(const SimulateCommand& o, const std::string& study,
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

int simulate_everyday(const SimulateCommand& o) {
  const auto stop = [&o](const Error& error) {
    return refuse(error, o.json,
                  error.code == "simulate.stopped" ? interrupted
                  : error.code.starts_with("io.")  ? input_output
                                                   : refused);
  };
  const OwnerOnly owner_only(!o.data.empty());
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
  const double steps = k_progress_steps * o.repeat;
  Progress progress("simulating", static_cast<std::uint64_t>(steps), o.json);
  const Interrupt interrupt;
  const Result<EverydayOutcome> made = analyzer::request::run_everyday(
      o, o.out,
      {.progress = [&](double share) { progress.at(static_cast<std::uint64_t>(steps * share)); },
       .is_stopped = Interrupt::came});
  progress.finish();
  if (!made) return stop(made.error());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  const EverydayOutcome& outcome = made.value();
  const Json json = analyzer::request::everyday_json(o, outcome, seconds);
  const Json& counts = json["verdicts"];
  if (!o.out.empty()) {
    if (const auto written = write_everyday_run(o, outcome.study, outcome.first, json); !written)
      return stop(written.error());
  }
  if (o.json) {
    print_json(json);
    return done;
  }
  print_model(outcome.first.model);
  say("\n{} repeat{} in {:.1f} s: {} learned, {} uncertain, {} cannot learn\n", o.repeat, o.repeat == 1 ? "" : "s",
      seconds, counts["learned"].get<int>(), counts["uncertain"].get<int>(), counts["cannot learn"].get<int>());
  for (const auto& [name, s] : outcome.errors)
    say("  {:<22} {:.4f}  (sd {:.4f}, median {:.4f})\n", name, s.mean, s.sd, s.median);
  if (!o.out.empty()) say("\npage        {}\n", (std::filesystem::path(o.out) / "report.html").string());
  return done;
}

}  // namespace sotto::cli
