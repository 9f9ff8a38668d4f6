// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>

#include <fmt/format.h>

#include "simulate_between.hpp"
#include "simulate_file.hpp"
#include "simulate_fleet.hpp"
#include "sotto/analyzer/channel/epsilon.hpp"
#include "sotto/analyzer/plan/compare.hpp"
#include "sotto/analyzer/request/simulate.hpp"
#include "sotto/analyzer/study/protocol_facts.hpp"

// A simulation of protocols that learn a model, from its options to the results of all repeats.
namespace sotto::analyzer::request {
namespace {

/// The ways in which one protocol stands beside the others of its family.
void add_choices(const SimulateOptions& o, const ProtocolFacts& protocol, std::vector<ProtocolChoice>& out) {
  const std::string name(protocol.name);
  switch (protocol.compared) {
    case Compared::never: return;
    case Compared::itself: out.push_back({name, false}); return;
    case Compared::with_paper:
      out.push_back({name, false});
      out.push_back({name, true});
      return;
    case Compared::every_label:
      for (const char* way : {"one-bit", "window", "laplace", "gaussian"}) {
        if (std::string_view(way) != "gaussian" || o.delta > 0) out.push_back({name, false, way});
      }
      return;
    case Compared::chosen_label: out.push_back({name, false, o.label}); return;
    case Compared::every_way:
      for (const OnceWay way : protocol.ways) out.push_back({o.protocol, way == OnceWay::paper, "auto", way});
      return;
  }
}

/// The protocols that --compare runs: the family of the one that was named, else of the one that "auto" falls back on.
std::vector<ProtocolChoice> family_of(const SimulateOptions& o) {
  const ProtocolFacts* named = find_protocol(o.protocol, o.mechanism);
  if (named == nullptr) named = protocol_facts().front();
  std::vector<ProtocolChoice> out;
  for (const ProtocolFacts* protocol : protocol_facts()) {
    if (protocol->family == named->family) add_choices(o, *protocol, out);
  }
  return out;
}

/// What --units and --centre say together: either of them stated makes the other one's default.
RowUnits units_of(const SimulateOptions& o) {
  if (o.centre == "fleet") return RowUnits::stated;
  return o.units == "stated" ? RowUnits::centred : RowUnits::own;
}

Error explained(const SimulateOptions& o, Error error) {
  const ProtocolFacts* const asked = once_protocol(o);
  if (error.code == "protocol.small_fleet" && !o.data.empty() && asked != nullptr && !asked->direct_assumes.empty())
    error.fix += "; --mechanism direct needs fewer, where the columns do not go along with each other";
  return error;
}

}  // namespace

Result<ModelSimulation> simulation_of(const SimulateOptions& o, FileNotes& notes) {
  const auto epsilon = epsilon_from_nats(o.epsilon, "--epsilon");
  if (!epsilon) return epsilon.error();
  const ProtocolFacts* const once = once_protocol(o);
  const std::optional<OnceTask> task = once != nullptr ? std::optional(task_of(*once, o)) : std::nullopt;
  Result<FleetSource> source = !o.data.empty()   ? file_source(o, task, notes)
                               : once != nullptr ? once_source(o, *task)
                                                 : synthetic_source(o);
  if (!source) return explained(o, source.error());
  return ModelSimulation(std::move(source).value(), {.samples = o.assume_samples,
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
}

std::vector<ChoiceResults> choices_of(const SimulateOptions& o) {
  std::vector<ProtocolChoice> choices{
      {o.protocol, o.mechanism == "paper", o.label, parse_way(o.mechanism).value_or(OnceWay::automatic)}};
  if (o.compare) choices = family_of(o);
  std::vector<ChoiceResults> results;
  for (const ProtocolChoice& choice : choices) results.push_back({choice, {}, {}});
  return results;
}

Result<Done> run_choices(const SimulateOptions& o, ModelSimulation& simulation, std::vector<ChoiceResults>& results,
                         const std::string& directory, const RunWatch& watch) {
  const double runs = static_cast<double>(o.repeat) * static_cast<double>(results.size());
  watch.begin();
  double before = 0;
  for (std::uint32_t r = 0; r < o.repeat; ++r) {
    for (ChoiceResults& of : results) {
      if (of.refused) continue;
      SimulationOptions run{.epsilon = o.epsilon,
                            .delta = o.delta,
                            .seed = repeat_seed(o.seed, r),
                            .threads = o.threads,
                            .dropout = o.dropout,
                            .directory = r == 0 && !o.compare ? directory : "",
                            .command = command_of(o),
                            .progress = {},
                            .is_stopped = watch.is_stopped,
                            .complete = {}};
      if (r == 0 && !o.compare) run.complete = tell_plan;  // as `sotto estimate` of its directory does
      run.progress = [&](double share) { watch.at((before + share) / runs); };
      Result<RepeatResult> made = simulation.run(of.choice, run);
      // In a comparison, a variant that this study cannot use or that cannot learn anything is reported and left out.
      if (o.compare && !made &&
          (made.error().code == "protocol.small_fleet" || made.error().code == "protocol.no_way")) {
        of.refused = made.error();
        continue;
      }
      if (!made) return explained(o, made.error());
      of.repeats.push_back(std::move(made).value());
      if (r > 0) of.repeats.back().keep_numbers();  // the first repeat is shown in full, the others in summaries
      ++before;
    }
  }
  if (std::ranges::all_of(results, [](const ChoiceResults& of) { return of.refused.has_value(); })) {
    Error none = *results.back().refused;  // the better variants come last
    for (std::size_t i = results.size() - 1; i-- > 0;)
      none.value += fmt::format("; {}: {}", way_name(results[i].choice.way), results[i].refused->what);
    return explained(o, none);
  }
  return Done{};
}

}  // namespace sotto::analyzer::request
