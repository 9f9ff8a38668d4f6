// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>

#include <fmt/format.h>

#include "simulate_between.hpp"
#include "simulate_file.hpp"
#include "sotto/analyzer/channel/epsilon.hpp"
#include "sotto/analyzer/request/simulate.hpp"
#include "sotto/analyzer/study/protocol_facts.hpp"

// A simulation of protocols that learn a model, from its options to the results of all repeats.
namespace sotto::analyzer::request {
namespace {

/// The protocol that collects once, if the command asks for one.
const ProtocolFacts* once_protocol(const SimulateOptions& o) {
  const ProtocolFacts* const protocol = find_protocol(o.protocol, o.mechanism);
  return protocol != nullptr && protocol->collects_once() ? protocol : nullptr;
}

/// The world that it is simulated on.
OnceTask task_of(const ProtocolFacts& protocol, const SimulateOptions& o) {
  if (protocol.learned == Learned::mean) return OnceTask::mean;
  if (protocol.learned == Learned::function) return OnceTask::function;
  return o.link == "logistic" && protocol.takes(TargetLink::logistic) ? OnceTask::logistic : OnceTask::linear;
}

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

Result<FleetSource> synthetic_source(const SimulateOptions& o) {
  const auto samples = parse_samples(o.samples);
  if (!samples) return samples.error();
  const auto signal = parse_signal(o.signal);
  if (!signal) return signal.error();
  const auto noise = parse_noise(o.noise);
  if (!noise) return noise.error();
  const auto design = parse_design(o.design);
  if (!design) return design.error();
  const auto link = parse_link(o.link);
  if (!link) return link.error();
  if (o.dim < 2) return Error{"simulate.bad_features", "--dim is too small", "1", std::string(k_two_features_fix)};
  const ProtocolFacts* const protocol = find_protocol(o.protocol);
  const bool is_mean = protocol != nullptr && protocol->learned == Learned::mean;
  const auto levels = synthetic_levels(o);
  if (!levels) return levels.error();
  FleetSource source;
  source.synthetic = {.devices = o.users,
                      .samples_low = samples.value().low,
                      .samples_high = samples.value().high,
                      .features = o.dim + levels.value().columns,
                      .nonzeros = o.nonzeros,
                      .signal = signal.value(),
                      .random_signs = o.signs == "random",
                      .noise = noise.value(),
                      .design = design.value(),
                      .link = link.value(),
                      .empty = o.empty,
                      .task = is_mean ? Task::mean : Task::regression,
                      .levels = levels.value(),
                      .misstated_offset = o.misstate_offset,
                      .misstated_scale = o.misstate_scale};
  if (o.effects) {
    source.synthetic.effects = o.effects->effects;
    source.name = std::filesystem::path(o.effects_file).stem().string();
    source.quantities = o.effects->features;
    source.quantity = o.effects->target;
  }
  if (const auto checked = check(source.synthetic); !checked) return checked.error();
  return source;
}

Result<FleetSource> once_source(const SimulateOptions& o, OnceTask task) {
  FleetSource source;
  source.once = {task, o.users, o.dim, std::min(o.nonzeros, o.dim), o.empty, 1, o.signal == "0"};
  const auto terms = once_terms(o);
  if (!terms) return terms.error();
  source.once_terms = terms.value();
  if (o.users == 0 || o.dim == 0 || (o.dim == 1 && task != OnceTask::function) || o.nonzeros == 0)
    return Error{"simulate.bad_world", "this fleet cannot be simulated",
                 fmt::format("--users {} --dim {}", o.users, o.dim),
                 "give --users, and --dim 2 or more; a function may have one"};
  return source;
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
                            .is_stopped = watch.is_stopped};
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
