// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <chrono>
#include <limits>

#include <fmt/format.h>

#include "files.hpp"
#include "interrupt.hpp"
#include "model_text.hpp"
#include "owner_only.hpp"
#include "say.hpp"
#include "simulate.hpp"
#include "simulate_between.hpp"
#include "simulate_cost.hpp"
#include "simulate_file.hpp"
#include "simulate_fleet.hpp"
#include "simulate_output.hpp"
#include "sotto/analyzer/channel/epsilon.hpp"
#include "sotto/analyzer/study/protocol_facts.hpp"
#include "study_directory.hpp"
#include "talk.hpp"

// `sotto simulate` of protocols that learn a model, on synthetic fleets or real rows.
namespace sotto::cli {
namespace {

using analyzer::Error;
using analyzer::FleetSource;
using analyzer::ModelSimulation;
using analyzer::ProtocolChoice;
using analyzer::Result;

/// The ways in which one protocol stands beside the others of its family.
void add_choices(const SimulateOptions& o, const analyzer::ProtocolFacts& protocol, std::vector<ProtocolChoice>& out) {
  const std::string name(protocol.name);
  switch (protocol.compared) {
    case analyzer::Compared::never: return;
    case analyzer::Compared::itself: out.push_back({name, false}); return;
    case analyzer::Compared::with_paper:
      out.push_back({name, false});
      out.push_back({name, true});
      return;
    case analyzer::Compared::every_label:
      for (const char* way : {"one-bit", "window", "laplace", "gaussian"}) {
        if (std::string_view(way) != "gaussian" || o.delta > 0) out.push_back({name, false, way});
      }
      return;
    case analyzer::Compared::chosen_label: out.push_back({name, false, o.label}); return;
    case analyzer::Compared::every_way:
      for (const analyzer::OnceWay way : protocol.ways)
        out.push_back({o.protocol, way == analyzer::OnceWay::paper, "auto", way});
      return;
  }
}

/// The protocols that --compare runs: the family of the one that was named, else of the one that "auto" falls back on.
std::vector<ProtocolChoice> family_of(const SimulateOptions& o) {
  const analyzer::ProtocolFacts* named = analyzer::find_protocol(o.protocol, o.mechanism);
  if (named == nullptr) named = analyzer::protocol_facts().front();
  std::vector<ProtocolChoice> out;
  for (const analyzer::ProtocolFacts* protocol : analyzer::protocol_facts()) {
    if (protocol->family == named->family) add_choices(o, *protocol, out);
  }
  return out;
}

/// What --units and --centre say together: either of them stated makes the other one's default.
RowUnits units_of(const SimulateOptions& o) {
  if (o.centre == "fleet") return RowUnits::stated;
  return o.units == "stated" ? RowUnits::centred : RowUnits::own;
}

Result<analyzer::Done> write_run(const SimulateOptions& o, const analyzer::RepeatResult& first, const Json& result) {
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

int simulate_model(const SimulateOptions& o) {
  const auto stop = [&o](Error error) {
    if (error.code == "simulate.stopped") {
      if (!o.out.empty()) error.fix = "the same command goes on where it stopped; what devices sent is in " + o.out;
      return refuse(error, o.json, interrupted);
    }
    const analyzer::ProtocolFacts* const asked = once_protocol(o);
    if (error.code == "protocol.small_fleet" && !o.data.empty() && asked != nullptr && !asked->direct_assumes.empty())
      error.fix += "; --mechanism direct needs fewer, where the columns do not go along with each other";
    return refuse(error, o.json, error.code.starts_with("io.") ? input_output : refused);
  };
  // Results from people's rows hold numbers that no epsilon covers, such as errors on held-out rows, and scales.
  const OwnerOnly owner_only(!o.data.empty());
  const auto epsilon = analyzer::epsilon_from_nats(o.epsilon, "--epsilon");
  if (!epsilon) return stop(epsilon.error());
  const analyzer::ProtocolFacts* const once = once_protocol(o);
  FileNotes notes;
  const std::optional<analyzer::OnceTask> task = once != nullptr ? std::optional(task_of(*once, o)) : std::nullopt;
  Result<FleetSource> source = !o.data.empty()   ? file_source(o, task, notes)
                               : once != nullptr ? once_source(o, *task)
                                                 : synthetic_source(o);
  if (!source) return stop(source.error());
  if (!o.json) tell_notes(notes.notes, notes.warnings);
  std::optional<DirectoryLock> lock;
  if (!o.out.empty()) {
    if (const auto made = make_directory(o.out); !made) return stop(made.error());
    Result<DirectoryLock> taken = DirectoryLock::take(o.out);
    if (!taken) return stop(taken.error());
    lock.emplace(std::move(taken).value());
    if (const auto free = may_write_run(o.out, !o.compare); !free) return stop(free.error());
  }
  ModelSimulation simulation(std::move(source).value(), {.samples = o.assume_samples,
                                                         .sparsity = o.assume_sparsity,
                                                         .noise = o.assume_noise,
                                                         .norm = o.assume_norm,
                                                         .target_deviation = o.assume_deviation,
                                                         .target_is_normal = o.assume_law == "normal",
                                                         .correlated = o.assume_correlated,
                                                         .rounds = o.rounds,
                                                         .units = units_of(o),
                                                         .validation = o.validation,
                                                         .between = between_draft(o)});

  std::vector<ProtocolChoice> choices{{o.protocol, o.mechanism == "paper", o.label,
                                       analyzer::parse_way(o.mechanism).value_or(analyzer::OnceWay::automatic)}};
  if (o.compare) choices = family_of(o);
  std::vector<ChoiceResults> results;
  for (const ProtocolChoice& choice : choices) results.push_back({choice, {}, {}});
  if (const auto fits = announce_cost(o, static_cast<double>(simulation.devices()),
                                      static_cast<double>(o.repeat) * static_cast<double>(results.size()));
      !fits)
    return stop(fits.error());
  const auto began = std::chrono::steady_clock::now();
  constexpr double k_steps = 1000;  // progress steps of one run
  const auto runs = static_cast<std::uint64_t>(o.repeat * results.size());
  Progress progress("simulating", static_cast<std::uint64_t>(k_steps) * runs, o.json);
  const Interrupt interrupt;
  double before = 0;
  for (std::uint32_t r = 0; r < o.repeat; ++r) {
    for (ChoiceResults& of : results) {
      if (of.refused) continue;
      analyzer::SimulationOptions run{.epsilon = o.epsilon,
                                      .delta = o.delta,
                                      .seed = repeat_seed(o.seed, r),
                                      .threads = o.threads,
                                      .dropout = o.dropout,
                                      .directory = r == 0 && !o.compare ? o.out : "",
                                      .command = command_of(o),
                                      .progress = {},
                                      .is_stopped = Interrupt::came};
      run.progress = [&](double share) { progress.at(static_cast<std::uint64_t>(k_steps * (before + share))); };
      Result<analyzer::RepeatResult> made = simulation.run(of.choice, run);
      // In a comparison, a variant that this study cannot use or that cannot learn anything is reported and left out.
      if (o.compare && !made &&
          (made.error().code == "protocol.small_fleet" || made.error().code == "protocol.no_way")) {
        of.refused = made.error();
        continue;
      }
      if (!made) {
        progress.finish();
        return stop(made.error());
      }
      of.repeats.push_back(std::move(made).value());
      if (r > 0) of.repeats.back().keep_numbers();  // the first repeat is shown in full, the others in summaries
      ++before;
    }
  }
  progress.finish();
  if (std::ranges::all_of(results, [](const ChoiceResults& of) { return of.refused.has_value(); })) {
    Error none = *results.back().refused;  // the better variants come last
    for (std::size_t i = results.size() - 1; i-- > 0;)
      none.value += fmt::format("; {}: {}", way_name(results[i].choice.way), results[i].refused->what);
    return stop(none);
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  Json json = o.compare ? comparison_json(o, results, seconds) : simulation_json(o, results.front(), seconds);
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
