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
#include "simulate_cost.hpp"
#include "simulate_output.hpp"
#include "study_directory.hpp"
#include "talk.hpp"

// `sotto simulate` of protocols that learn a model: what happens around the library's simulation.
namespace sotto::cli {
namespace {

using analyzer::Error;
using analyzer::Result;

Result<analyzer::Done> write_run(const SimulateCommand& o, const analyzer::RepeatResult& first, const Json& result) {
  const std::filesystem::path directory(o.out);
  if (const auto done = write_file(directory / "study.toml", first.study_text); !done) return done;
  if (const auto done = write_bytes(directory / "manifest.bin", first.compiled.manifest); !done) return done;
  for (std::size_t i = 0; i < first.record.rounds.size(); ++i) {
    if (const auto done = write_bytes(round_path(directory, static_cast<std::uint32_t>(i + 1)), first.record.rounds[i]);
        !done)
      return done;
  }
  if (!first.record.rounds.empty()) {
    const auto done = write_study_sums(directory, first.study_text, first.compiled.manifest, first.record.rounds);
    if (!done) return done;
  }
  if (const auto done = write_file(directory / "result.json", json_text(result)); !done) return done;
  return write_model(directory, first.model, first.facts);
}

}  // namespace

int simulate_model(const SimulateCommand& o) {
  const auto stop = [&o](Error error) {
    if (error.code == "simulate.stopped") {
      if (!o.out.empty()) error.fix = "the same command goes on where it stopped; what devices sent is in " + o.out;
      return refuse(error, o.json, interrupted);
    }
    return refuse(error, o.json, error.code.starts_with("io.") ? input_output : refused);
  };
  // Results from people's rows hold numbers that no epsilon covers, such as errors on held-out rows, and scales.
  const OwnerOnly owner_only(!o.data.empty());
  analyzer::request::FileNotes notes;
  Result<analyzer::ModelSimulation> read = analyzer::request::simulation_of(o, notes);
  if (!read) return stop(read.error());
  analyzer::ModelSimulation& simulation = read.value();
  if (!o.json) tell_notes(notes.notes, notes.warnings);
  std::optional<DirectoryLock> lock;
  if (!o.out.empty()) {
    if (const auto made = make_directory(o.out); !made) return stop(made.error());
    Result<DirectoryLock> taken = DirectoryLock::take(o.out);
    if (!taken) return stop(taken.error());
    lock.emplace(std::move(taken).value());
    if (const auto free = may_write_run(o.out, !o.compare); !free) return stop(free.error());
  }
  std::vector<ChoiceResults> results = analyzer::request::choices_of(o);
  if (const auto fits = announce_cost(o, static_cast<double>(simulation.devices()),
                                      static_cast<double>(o.repeat) * static_cast<double>(results.size()));
      !fits)
    return stop(fits.error());
  const auto began = std::chrono::steady_clock::now();
  constexpr double k_steps = 1000;  // progress steps of one run
  const double steps = k_steps * static_cast<double>(o.repeat) * static_cast<double>(results.size());
  Progress progress("simulating", static_cast<std::uint64_t>(steps), o.json);
  const Interrupt interrupt;
  const auto ran = analyzer::request::run_choices(
      o, simulation, results, o.out,
      {.progress = [&](double share) { progress.at(static_cast<std::uint64_t>(steps * share)); },
       .is_stopped = Interrupt::came});
  progress.finish();
  if (!ran) return stop(ran.error());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  Json json = o.compare ? analyzer::request::comparison_json(o, results, seconds)
                        : analyzer::request::simulation_json(o, results.front(), seconds);
  if (!o.data.empty()) json.update({{"notes", notes.notes}, {"warnings", notes.warnings}});
  if (!o.out.empty()) {  // before anything is said: a refusal is then all that is
    const auto written = o.compare ? write_file(std::filesystem::path(o.out) / "comparison.json", json_text(json))
                                   : write_run(o, results.front().repeats.front(), json);
    if (!written) return stop(written.error());
  }
  if (o.json) {
    print_json(json);
  } else if (o.compare) {
    print_comparison(o, results, seconds);
  } else {
    print_simulation(o, results.front(), seconds);
  }
  if (!o.json && !o.out.empty() && !o.compare)
    say("\npage        {}\n", (std::filesystem::path(o.out) / "report.html").string());
  return done;
}

}  // namespace sotto::cli
