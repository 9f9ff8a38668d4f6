// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/plan/outlook.hpp"

#include <algorithm>
#include <cmath>

#include "everyday_outlook.hpp"
#include "law_run.hpp"
#include "side_by_side.hpp"
#include "spread.hpp"
#include "whole_devices.hpp"

namespace sotto::analyzer {
namespace {

// Enough fleets once the mean is known to this share of itself, or clearly near that of the zero model.
constexpr double k_mean_known = 0.12, k_hopeless_by_far = 0.9;
// Fleets are drawn four at a time, whatever the number of processors is, so that the answer does not depend on it.
constexpr std::size_t k_batch = 4;

bool is_enough(const std::vector<double>& errors, double zero) {
  if (errors.size() < 2 * k_batch) return false;  // a few alike may have missed the same
  const Spread spread = spread_of(errors);
  const double known = spread.deviation / std::sqrt(static_cast<double>(errors.size()));
  return known <= k_mean_known * spread.mean || spread.mean - 3 * known > k_hopeless_by_far * zero;
}

/// Nobody is asked: the model is zero.
Outlook without_model(const PlannedFleet& fleet, const ProtocolChoice& choice, std::string why, std::uint64_t seed) {
  SyntheticSpec spec = fleet.world;
  spec.seed = seed;
  const SyntheticWorld world(spec);
  Outlook out;
  out.protocol = choice.protocol;
  out.why = std::move(why);
  out.metric = "l2_squared_error";
  for (const double b : world.truth()) out.zero += b * b;
  out.predicted = out.low = out.high = out.zero;
  out.by = PlannedBy::plan;
  return out;
}

}  // namespace

std::string_view prospect_text(Prospect prospect) {
  switch (prospect) {
    case Prospect::learnable: return "learnable";
    case Prospect::uncertain: return "uncertain";
    case Prospect::cannot_learn: break;
  }
  return "cannot learn";
}

std::string_view planned_by_text(PlannedBy by) {
  switch (by) {
    case PlannedBy::law: return "law of the aggregates";
    case PlannedBy::devices: return "whole devices";
    case PlannedBy::scaled: return "whole devices of a smaller fleet, scaled";
    case PlannedBy::formula: return "closed form";
    case PlannedBy::plan: break;
  }
  return "the protocol's plan";
}

namespace {

/// Sums over fleets; outlook_of() divides them.
void add_fleet(const LawOutcome& of, Outlook& out) {
  out.protocol = of.protocol;
  out.why = of.why_protocol;
  out.f1 += of.f1;
  out.found += of.found;
  out.half_width += of.half_width;
  out.reports += of.reports;
  out.bytes += of.bytes;
  out.report_bytes = std::max(out.report_bytes, of.report_bytes);
  out.rounds = std::max(out.rounds, of.rounds);
  if (of.device.m0 > out.device.m0) out.device = of.device;
  out.smallest_cohort = of.smallest_cohort;
  out.learned += of.verdict == Verdict::learned ? 1 : 0;
  out.cannot += of.verdict == Verdict::cannot_learn ? 1 : 0;
  out.uncertain += of.verdict == Verdict::uncertain || of.verdict == Verdict::not_measured ? 1 : 0;
}

}  // namespace

Result<Outlook> outlook_of(const PlannedFleet& fleet, const ProtocolChoice& choice, const OutlookOptions& options) {
  if (fleet.everyday) return outlook_of_everyday(fleet, options);
  if (fleet.once) return outlook_by_devices(fleet, choice, options);
  Outlook out;
  out.metric = "l2_squared_error";
  out.cannot = 0;
  std::vector<double> errors, zeros;
  const LawEffort effort{.numbers = 1e6 * options.effort,
                         .devices = static_cast<std::uint64_t>(std::max(100.0, 1000 * options.effort))};
  // In a unit ball each stand-in has all of its features: a large one leaves time for few fleets.
  constexpr double k_large = 1e5;
  constexpr std::uint32_t k_few = 4;
  const SyntheticSpec& world = fleet.world;
  const bool is_large = world.design == Design::unit_ball && 1.0 * world.samples_high * world.features > k_large;
  const std::uint32_t fleets = is_large ? k_few : options.fleets;
  while (errors.size() < fleets && !is_enough(errors, errors.empty() ? 0 : spread_of(zeros).mean)) {
    if (fleet.is_stopped && fleet.is_stopped()) return Error{"plan.stopped", "stopped on request", "", "start again"};
    const std::size_t count = std::min<std::size_t>(k_batch, fleets - errors.size());
    const std::uint64_t first = options.seed * 0x9e3779b9 + errors.size();
    const auto draw = [&](std::size_t i) { return run_by_law(fleet, choice, splitmix(first + i), effort); };
    for (const Result<LawOutcome>& run : side_by_side(count, draw)) {
      if (!run && run.error().code == "plan.no_law") return outlook_by_devices(fleet, choice, options);
      if (!run && is_small_fleet(run.error())) return without_model(fleet, choice, run.error().what, splitmix(first));
      if (!run) return run.error();
      errors.push_back(run.value().squared_error);
      zeros.push_back(run.value().zero);
      add_fleet(run.value(), out);
    }
  }
  const auto numbers = static_cast<double>(std::max<std::size_t>(1, errors.size()));
  for (double* sum :
       {&out.f1, &out.found, &out.half_width, &out.reports, &out.bytes, &out.learned, &out.uncertain, &out.cannot})
    *sum /= numbers;
  out.zero = spread_of(zeros).mean;
  tell_errors(errors, out);
  // A model that its own validation does not call learned in most fleets is not one to promise.
  if (out.prospect == Prospect::learnable && out.learned < 0.5) out.prospect = Prospect::uncertain;
  return out;
}

}  // namespace sotto::analyzer
