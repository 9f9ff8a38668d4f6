// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "whole_devices.hpp"

#include <algorithm>
#include <cmath>

#include "device_cost.hpp"
#include "side_by_side.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/compile/read_study.hpp"
#include "sotto/analyzer/study/protocol_facts.hpp"
#include "spread.hpp"

namespace sotto::analyzer {
namespace {

// What all fleets of a first answer may cost, in readings that are generated; and one report with what the server makes
// of it.
constexpr double k_readings = 1e8, k_report_readings = 150, k_update_readings = 10000, k_glm_readings = 9000;
constexpr double k_fleets_least = 4, k_fleets_few = 2;
constexpr std::uint64_t k_devices_min = 200;
constexpr double k_size_step = 4;  // between the two sizes from which an error is carried on
// Of the zero model's error: below it an error falls steadily. And how many times more devices one may be carried to.
constexpr double k_steady = 0.3, k_carried_most = 100;

/// What one fleet measured.
struct Whole {
  double error = 0, zero = 0, f1 = 0, reports = 0, report_bytes = 0;
  std::size_t rounds = 0;
  DeviceCost device;
  Verdict verdict = Verdict::cannot_learn;
  std::string protocol, why;
  bool is_refused = false;
};

/// Which of the measures of a repeat is planned, and the power of the devices with which it falls at best.
struct Measure {
  const char* metric;
  double fall;
  double (*of)(const RepeatResult& repeat);
};

Measure measure_of(const PlannedFleet& fleet, const ProtocolChoice& choice) {
  const ProtocolFacts* const facts = find_protocol(choice.protocol);
  if (!fleet.once)
    return {"l2_squared_error", 1, [](const RepeatResult& r) { return r.truth ? r.truth->l2_squared_error : 0; }};
  switch (facts == nullptr ? Learned::coefficients : facts->learned) {
    case Learned::mean: return {"l2_error", 0.5, [](const RepeatResult& r) { return r.l2_error.value_or(0); }};
    case Learned::function:
      return {"function_error", 0.5, [](const RepeatResult& r) { return r.function_error.value_or(0); }};
    case Learned::coefficients: break;
  }
  return {"excess_risk_ratio", 1, [](const RepeatResult& r) { return r.excess_risk_ratio.value_or(0); }};
}

double zero_of(const PlannedFleet& fleet, const Measure& measure, std::uint64_t seed) {
  double square = 0;
  if (fleet.once) {
    if (std::string_view(measure.metric) != "l2_error") return 1;  // measured against the zero model
    OnceWorldSpec spec = *fleet.once;
    spec.seed = seed;
    const OnceWorld world(spec);
    for (const double b : world.truth()) square += b * b;
    return std::sqrt(square);
  }
  SyntheticSpec spec = fleet.world;
  spec.seed = seed;
  const SyntheticWorld world(spec);
  for (const double b : world.truth()) square += b * b;
  return square;
}

FleetSource source_of(const PlannedFleet& fleet) {
  FleetSource out;
  out.synthetic = fleet.world;
  out.once = fleet.once;
  out.once_terms = fleet.once_terms;
  out.with_baselines = false;
  return out;
}

SimulationOptions options_of(const PlannedFleet& fleet, std::uint64_t seed) {
  SimulationOptions out;
  out.epsilon = fleet.epsilon;
  out.delta = fleet.delta;
  out.seed = seed;
  out.dropout = fleet.dropout;
  out.rehearse = true;
  return out;
}

/// Of the costliest round.
DeviceCost cost_of(const RepeatResult& of) {
  DeviceCost out;
  const Result<Manifest> manifest = read_manifest(of.compiled.manifest, "the manifest");
  for (const std::vector<std::uint8_t>& bytes : of.record.rounds) {
    const Result<Round> round = read_round(bytes, "the round");
    const Result<AnySpec> spec = manifest && round ? round_spec(manifest.value(), round.value()) : AnySpec{};
    if (!manifest || !round || !spec) continue;
    const DeviceCost one = device_cost(manifest.value(), round.value(), spec.value());
    out = {std::max(out.m0, one.m0), std::max(out.m4, one.m4), std::max(out.work_bytes, one.work_bytes)};
  }
  return out;
}

Result<Whole> run_whole(const PlannedFleet& fleet, const ProtocolChoice& choice, const Measure& measure,
                        std::uint64_t seed) {
  Whole out;
  out.zero = zero_of(fleet, measure, seed);
  ModelSimulation simulation(source_of(fleet), fleet.assumptions);
  const Result<RepeatResult> made = simulation.run(choice, options_of(fleet, seed));
  if (!made && !made.error().code.starts_with("protocol.")) return made.error();
  if (!made) {
    out.is_refused = true;
    out.protocol = choice.protocol;
    out.why = made.error().what;
    out.error = out.zero;
    return out;
  }
  const RepeatResult& of = made.value();
  out.error = measure.of(of);
  if (!std::isfinite(out.error)) out.error = out.zero;
  out.protocol = of.model.protocol;
  out.why = of.model.why_protocol;
  out.f1 = of.truth ? of.truth->f1 : 0;
  out.reports = static_cast<double>(of.record.reports);
  out.report_bytes = of.model.bytes_per_report;
  out.rounds = of.record.rounds.size();
  out.verdict = of.model.verdict;
  out.device = cost_of(of);
  return out;
}

double readings_of(const PlannedFleet& fleet, const ProtocolChoice& choice) {
  const SyntheticSpec& spec = fleet.world;
  const double report = choice.protocol == "federated-ht" ? k_update_readings
                        : choice.protocol == "smooth-glm" ? k_glm_readings
                                                          : k_report_readings;
  // A record of a protocol that collects once is made of normal numbers, which take longer.
  if (fleet.once) return report + 6.0 * fleet.once->features;
  return report + (spec.samples_low + spec.samples_high) / 2.0 * (spec.features + 1.0);
}

/// What a fleet costs besides, in readings: solvers that work on a grid of features.
double overhead_of(const PlannedFleet& fleet, const ProtocolChoice& choice) {
  constexpr double k_grid = 1e7;
  return choice.protocol == "kernel-ridge" && fleet.once ? k_grid * std::pow(std::min(fleet.once->features, 4u), 2) : 0;
}

struct Fleets {
  std::vector<double> errors;
  double zero = 0;
};

/// Runs fleets of one size, and adds what they say to the outlook.
Result<Fleets> run_fleets(const PlannedFleet& fleet, const ProtocolChoice& choice, const Measure& measure,
                          std::uint64_t seed, std::size_t count, double larger, Outlook& out) {
  const auto run = [&](std::size_t i) -> Result<Whole> {
    if (fleet.is_stopped && fleet.is_stopped()) return Error{"plan.stopped", "stopped on request", "", "start again"};
    return run_whole(fleet, choice, measure, splitmix(seed + i));
  };
  Fleets fleets;
  const double share = 1 / static_cast<double>(count);
  for (const Result<Whole>& made : side_by_side(count, run)) {
    if (!made) return made.error();
    const Whole& of = made.value();
    fleets.errors.push_back(of.error);
    fleets.zero += of.zero * share;
    out.protocol = of.protocol;
    out.why = of.why;
    out.f1 += of.f1 * share;
    out.reports += of.reports * larger * share;
    out.bytes += of.reports * larger * of.report_bytes * share;
    out.report_bytes = std::max(out.report_bytes, of.report_bytes);
    out.rounds = std::max(out.rounds, of.rounds);
    if (of.device.m0 > out.device.m0) out.device = of.device;
    out.learned += of.verdict == Verdict::learned ? share : 0;
    out.cannot += of.is_refused || of.verdict == Verdict::cannot_learn ? share : 0;
  }
  return fleets;
}

}  // namespace

Result<Outlook> outlook_by_devices(const PlannedFleet& fleet, const ProtocolChoice& choice,
                                   const OutlookOptions& options) {
  const Measure measure = measure_of(fleet, choice);
  Outlook out;
  out.metric = measure.metric;
  out.by = PlannedBy::devices;
  out.cannot = 0;
  std::string text;
  // What the study itself says of a fleet of this size.
  ModelSimulation whole(source_of(fleet), fleet.assumptions);
  if (const Result<Study> study = whole.study(choice, options_of(fleet, options.seed), text); !study) {
    if (!is_small_fleet(study.error())) return study.error();
    out.protocol = choice.protocol;
    out.why = study.error().what;
    out.zero = zero_of(fleet, measure, options.seed);
    out.predicted = out.low = out.high = out.zero;
    out.cannot = 1;
    out.by = PlannedBy::plan;
    return out;
  }
  const double cost = readings_of(fleet, choice), overhead = overhead_of(fleet, choice);
  const double all = k_readings * options.effort, affordable = all / cost;
  const auto devices = static_cast<double>(fleet.world.devices);
  const double asked = std::min(devices, std::max<double>(k_devices_min, affordable / k_fleets_least));
  const double fewest = overhead > all / k_fleets_least ? k_fleets_few : k_fleets_least;
  const auto count = static_cast<std::size_t>(
      std::clamp<double>(all / (asked * cost + overhead), fewest, std::max(4u, options.fleets)));
  PlannedFleet smaller = fleet;
  smaller.set_devices(static_cast<std::uint64_t>(asked));
  const double larger = devices / static_cast<double>(smaller.world.devices);
  const std::uint64_t seed = options.seed * 0x9e3779b9;
  Result<Fleets> fleets = run_fleets(smaller, choice, measure, seed, count, larger, out);
  if (!fleets) return fleets.error();
  out.uncertain = std::max(0.0, 1 - out.learned - out.cannot);
  out.zero = fleets.value().zero;
  tell_errors(fleets.value().errors, out);
  if (larger <= 1) {
    if (out.prospect == Prospect::learnable && out.cannot >= 0.5) out.prospect = Prospect::uncertain;
    return out;
  }
  out.by = PlannedBy::scaled;
  if (out.predicted > k_steady * out.zero) {
    // More devices may learn what these do not: by how much is not known.
    out.prospect = Prospect::uncertain;
    out.low = std::min(out.low, out.predicted * std::pow(larger, -measure.fall));
    return out;
  }
  PlannedFleet least = smaller;
  least.set_devices(std::max<std::uint64_t>(1, static_cast<std::uint64_t>(asked / k_size_step)));
  Outlook ignored;
  const Result<Fleets> before = run_fleets(least, choice, measure, seed + count, count, 1, ignored);
  if (!before) return before.error();
  const double first = spread_of(before.value().errors).mean;
  const double fall = std::clamp(
      std::log(std::max(first, 1e-300) / std::max(out.predicted, 1e-300)) / std::log(k_size_step), 0.0, measure.fall);
  const double factor = std::pow(larger, -fall);
  // Of a learner that is not yet at its pace the rest of the way is a guess.
  const bool is_steady = first <= k_steady * out.zero && larger <= k_carried_most;
  if (!is_steady && out.prospect == Prospect::learnable) out.prospect = Prospect::uncertain;
  out.predicted *= factor;
  out.high *= factor;
  out.low *= std::pow(larger, -measure.fall);
  return out;
}

}  // namespace sotto::analyzer
