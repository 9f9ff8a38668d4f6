// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/plan/outlook.hpp"

#include <algorithm>
#include <cmath>

#include "law_run.hpp"
#include "whole_devices.hpp"

namespace sotto::analyzer {
namespace {

// Shares of the zero model's error, and the spread of fleets around their mean, that the words stand for. They were
// chosen on fleets drawn at random (docs/PLANNING.md).
constexpr double k_learnable = 0.5, k_hopeless = 0.9, k_spread_max = 0.7;
// So many fleets are drawn; more where they differ.
constexpr std::uint32_t k_fleets_min = 5, k_fleets_max = 16;
// Enough once the mean is known to this share of itself, or clearly near that of the zero model.
constexpr double k_mean_known = 0.06;

struct Spread {
  double mean = 0, deviation = 0;
};

Spread spread_of(const std::vector<double>& values) {
  Spread out;
  for (const double v : values) out.mean += v / static_cast<double>(values.size());
  for (const double v : values) out.deviation += (v - out.mean) * (v - out.mean);
  out.deviation = values.size() > 1 ? std::sqrt(out.deviation / static_cast<double>(values.size() - 1)) : 0;
  return out;
}

/// The value below which this share lies, between the two nearest.
double quantile_of(std::vector<double> values, double share) {
  std::ranges::sort(values);
  const double at = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
}

Prospect prospect_of(const Spread& errors, double zero, bool is_scaled) {
  if (!(zero > 0) || errors.mean >= k_hopeless * zero) return Prospect::cannot_learn;
  const bool is_sure = errors.deviation <= k_spread_max * errors.mean && !is_scaled;
  return errors.mean <= k_learnable * zero && is_sure ? Prospect::learnable : Prospect::uncertain;
}

bool is_enough(const std::vector<double>& errors, double zero) {
  if (errors.size() < k_fleets_min) return false;
  const Spread spread = spread_of(errors);
  const double known = spread.deviation / std::sqrt(static_cast<double>(errors.size()));
  return known <= k_mean_known * spread.mean || spread.mean - 3 * known > k_hopeless * zero;
}

/// A refusal that says that this fleet is too small for the protocol, not that the question is wrong.
bool is_small_fleet(const Error& error) {
  return error.code == "protocol.small_fleet" || error.code == "protocol.too_few";
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
    case PlannedBy::plan: break;
  }
  return "the protocol's plan";
}

Result<Outlook> outlook_of(const PlannedFleet& fleet, const ProtocolChoice& choice, const OutlookOptions& options) {
  Outlook out;
  out.metric = "l2_squared_error";
  std::vector<double> errors, zeros;
  double verdicts[4] = {};
  const LawEffort effort{.numbers = 1e6 * options.effort,
                         .devices = static_cast<std::uint64_t>(std::max(100.0, 1000 * options.effort))};
  const auto most = static_cast<std::uint32_t>(
      std::clamp(std::lround(k_fleets_max * options.effort), long{k_fleets_min}, long{k_fleets_max}));
  double numbers = 0;
  while (errors.size() < most && !is_enough(errors, errors.empty() ? 0 : spread_of(zeros).mean)) {
    const std::uint64_t seed = splitmix(options.seed + errors.size());
    const Result<LawOutcome> run = run_by_law(fleet, choice, seed, effort);
    if (!run && run.error().code == "plan.no_law") return outlook_by_devices(fleet, choice, options);
    if (!run && is_small_fleet(run.error())) return without_model(fleet, choice, run.error().what, seed);
    if (!run) return run.error();
    const LawOutcome& of = run.value();
    errors.push_back(of.squared_error);
    zeros.push_back(of.zero);
    ++verdicts[static_cast<std::size_t>(of.verdict)];
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
    ++numbers;
  }
  for (double* sum : {&out.f1, &out.found, &out.half_width, &out.reports, &out.bytes}) *sum /= numbers;
  out.learned = verdicts[static_cast<std::size_t>(Verdict::learned)] / numbers;
  out.uncertain = (verdicts[static_cast<std::size_t>(Verdict::uncertain)] +
                   verdicts[static_cast<std::size_t>(Verdict::not_measured)]) /
                  numbers;
  out.cannot = verdicts[static_cast<std::size_t>(Verdict::cannot_learn)] / numbers;
  const Spread spread = spread_of(errors);
  out.zero = spread_of(zeros).mean;
  out.predicted = spread.mean;
  out.low = std::min(out.predicted, quantile_of(errors, 0.1));
  out.high = std::max(out.predicted, quantile_of(errors, 0.9));
  out.fleets = static_cast<std::uint32_t>(errors.size());
  out.prospect = prospect_of(spread, out.zero, false);
  return out;
}

}  // namespace sotto::analyzer
