// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "everyday_outlook.hpp"

#include <algorithm>
#include <cmath>

#include "everyday_run.hpp"
#include "side_by_side.hpp"
#include "spread.hpp"

namespace sotto::analyzer {
namespace {

// Devices of one fleet that are asked at most, less where each takes the mean of many readings; more are scaled. Of small
// fleets more are asked.
constexpr double k_devices_max = 25000, k_reading = 0.05, k_devices_together = 300000;
constexpr std::size_t k_asked_least = 12, k_asked_most = 48;
// Fleets whose expected errors differ more than this, in means, are no promise.
constexpr double k_alike = 0.5;

bool is_number(std::string_view kind) { return kind == "number" || kind == "count" || kind == "event"; }

/// What the fleets say together.
Outlook together(const EverydayOptions& world, const std::vector<Result<EverydayRun>>& fleets, double larger) {
  Outlook out;
  out.protocol = world.kind;
  out.metric = everyday_metric(world.kind);
  out.cannot = 0;
  std::vector<double> errors, draws;
  const double share = 1 / static_cast<double>(fleets.size());
  for (const Result<EverydayRun>& made : fleets) {
    const EverydayRun& of = made.value();
    errors.push_back(of.error);
    draws.insert(draws.end(), of.draws.begin(), of.draws.end());
    out.zero += of.zero * share;
    out.why = of.sent.why_protocol;
    out.half_width += of.half_width * share;
    out.reports += of.sent.reports * larger * share;
    out.bytes += of.sent.bytes * larger * share;
    out.report_bytes = std::max(out.report_bytes, of.sent.report_bytes);
    out.rounds = std::max(out.rounds, of.sent.rounds);
    if (of.sent.device.m0 > out.device.m0) out.device = of.sent.device;
    out.smallest_cohort = static_cast<std::uint64_t>(static_cast<double>(of.sent.smallest_cohort) * larger);
    out.learned += of.verdict == Verdict::learned ? share : 0;
    out.cannot += of.verdict == Verdict::cannot_learn ? share : 0;
  }
  out.uncertain = std::max(0.0, 1 - out.learned - out.cannot);
  tell_errors(errors, out);
  out.low = std::min(out.predicted, quantile_of(draws, 0.1));
  out.high = std::max(out.predicted, quantile_of(draws, 0.9));
  const Spread spread = spread_of(errors);
  if (out.prospect == Prospect::learnable && spread.deviation > k_alike * spread.mean)
    out.prospect = Prospect::uncertain;
  // A fleet whose model says itself that nothing can be learned is not one to promise.
  if (out.prospect == Prospect::learnable && out.cannot >= 0.5) out.prospect = Prospect::uncertain;
  return out;
}

}  // namespace

Result<Outlook> outlook_of_everyday(const PlannedFleet& fleet, const OutlookOptions& options) {
  EverydayOptions world = *fleet.everyday;
  world.devices = fleet.world.devices;
  world.epsilon = fleet.epsilon;
  const bool is_top = world.kind == "top";
  const double affordable = k_devices_max * options.effort / (1 + k_reading * (world.samples - 1.0));
  const auto devices = static_cast<double>(world.devices);
  const bool is_scaled = is_number(world.kind) && devices > affordable;
  if (is_scaled) world.devices = static_cast<std::uint64_t>(affordable);
  const double larger = devices / static_cast<double>(world.devices);
  const auto run = [&](std::size_t i) -> Result<EverydayRun> {
    if (fleet.is_stopped && fleet.is_stopped()) return Error{"plan.stopped", "stopped on request", "", "start again"};
    EverydayOptions one = world;
    one.seed = splitmix(options.seed * 0x9e3779b9 + i);
    return is_top                ? run_items(one, fleet.dropout)
           : is_number(one.kind) ? run_numbers(one, fleet.dropout, larger)
                                 : run_categories(one, fleet.dropout);
  };
  const double together_most = k_devices_together * options.effort / (1 + k_reading * (world.samples - 1.0));
  const auto many = static_cast<std::size_t>(
      std::clamp<double>(together_most / static_cast<double>(world.devices), k_asked_least, k_asked_most));
  const bool is_step = options.fleets < k_asked_least;
  const std::size_t count = is_top ? 1 : is_step ? std::max<std::size_t>(options.fleets, 6) : many;
  const std::vector<Result<EverydayRun>> fleets = side_by_side(count, run);
  for (const Result<EverydayRun>& made : fleets) {
    if (!made) return made.error();
  }
  Outlook out = together(world, fleets, larger);
  out.by = is_top                  ? PlannedBy::formula
           : is_scaled             ? PlannedBy::scaled
           : is_number(world.kind) ? PlannedBy::devices
                                   : PlannedBy::law;
  return out;
}

}  // namespace sotto::analyzer
