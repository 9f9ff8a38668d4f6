// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "whole_devices.hpp"

#include <algorithm>
#include <cmath>

namespace sotto::analyzer {
namespace {

// Readings that a first answer may generate: about a second's worth.
constexpr double k_readings = 1.5e7;
constexpr std::uint32_t k_whole_fleets = 3;
constexpr std::uint64_t k_devices_min = 200;
constexpr double k_found_most = 0.3;  // of the zero model's error: below it an error falls as one over the devices

}  // namespace

Result<Outlook> outlook_by_devices(const PlannedFleet& fleet, const ProtocolChoice& choice,
                                   const OutlookOptions& options) {
  const SyntheticSpec& spec = fleet.world;
  const double of_one = (spec.samples_low + spec.samples_high) / 2.0 * (spec.features + 20.0);
  const double affordable = k_readings * options.effort / of_one / k_whole_fleets;
  FleetSource source;
  source.synthetic = spec;
  source.synthetic.devices = std::min(spec.devices, std::max(k_devices_min, static_cast<std::uint64_t>(affordable)));
  source.with_baselines = false;
  const double larger = static_cast<double>(spec.devices) / static_cast<double>(source.synthetic.devices);
  Outlook out;
  out.metric = "l2_squared_error";
  out.by = larger > 1 ? PlannedBy::scaled : PlannedBy::devices;
  out.cannot = 0;
  std::vector<double> errors;
  for (std::uint32_t r = 0; r < k_whole_fleets; ++r) {
    ModelSimulation simulation(source, fleet.assumptions);
    SimulationOptions run;
    run.epsilon = fleet.epsilon;
    run.delta = fleet.delta;
    run.seed = splitmix(options.seed + r);
    run.dropout = fleet.dropout;
    Result<RepeatResult> made = simulation.run(choice, run);
    const bool is_small = !made && made.error().code.starts_with("protocol.");
    if (!made && !is_small) return made.error();
    if (is_small) {
      out.protocol = choice.protocol;
      out.why = made.error().what;
      out.cannot += 1.0 / k_whole_fleets;
      const SyntheticWorld world(source.synthetic);
      double zero = 0;
      for (const double b : world.truth()) zero += b * b;
      out.zero += zero / k_whole_fleets;
      errors.push_back(zero);
      continue;
    }
    const RepeatResult& of = made.value();
    const double relative = of.truth ? of.truth->relative_error : 1;
    const double error = of.truth ? of.truth->l2_squared_error : 0;
    const double zero = relative > 0 ? error / (relative * relative) : 0;
    errors.push_back(error);
    out.zero += zero / k_whole_fleets;
    out.protocol = of.model.protocol;
    out.why = of.model.why_protocol;
    out.f1 += of.truth ? of.truth->f1 / k_whole_fleets : 0;
    const double sent = static_cast<double>(of.record.reports) * larger;
    out.reports += sent / k_whole_fleets;
    out.report_bytes = of.model.bytes_per_report;
    out.bytes += sent * of.model.bytes_per_report / k_whole_fleets;
    out.rounds = std::max(out.rounds, of.record.rounds.size());
    out.learned += of.model.verdict == Verdict::learned ? 1.0 / k_whole_fleets : 0;
    out.cannot += of.model.verdict == Verdict::cannot_learn ? 1.0 / k_whole_fleets : 0;
  }
  out.uncertain = std::max(0.0, 1 - out.learned - out.cannot);
  double mean = 0;
  for (const double e : errors) mean += e / static_cast<double>(errors.size());
  const bool is_found = mean <= k_found_most * out.zero;
  const double factor = larger > 1 && is_found ? 1 / larger : 1;
  out.predicted = mean * factor;
  out.low = *std::ranges::min_element(errors) * factor;
  out.high = *std::ranges::max_element(errors);
  out.fleets = k_whole_fleets;
  const bool is_narrow = out.high * factor <= 2 * out.low;
  out.prospect = larger == 1 && mean >= 0.9 * out.zero ? Prospect::cannot_learn
                 : is_found && is_narrow               ? Prospect::learnable
                                                       : Prospect::uncertain;
  return out;
}

}  // namespace sotto::analyzer
