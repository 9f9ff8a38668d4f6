// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/plan/outlook.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>
#include <thread>

#include "law_run.hpp"
#include "whole_devices.hpp"

namespace sotto::analyzer {
namespace {

// Shares of the zero model's error, and the spread of fleets around their mean, that the words stand for. They were
// chosen by judgement; docs/PLANNING.md says how far the words were measured.
// Where hardly anything of the zero model's error is left, fleets may differ more: nothing of weight is missed.
constexpr double k_learnable = 0.5, k_hopeless = 0.9, k_spread_max = 0.7, k_hardly_anything = 0.05;
// Enough fleets once the mean is known to this share of itself, or clearly near that of the zero model.
constexpr double k_mean_known = 0.12;
// Fleets are drawn four at a time, whatever the number of processors is, so that the answer does not depend on it.
constexpr std::size_t k_batch = 4;

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
  const bool is_alike = errors.deviation <= k_spread_max * errors.mean,
             is_small = errors.mean + 2 * errors.deviation <= k_hardly_anything * zero;
  const bool is_sure = (is_alike || is_small) && !is_scaled;
  return errors.mean <= k_learnable * zero && is_sure ? Prospect::learnable : Prospect::uncertain;
}

bool is_enough(const std::vector<double>& errors, double zero) {
  if (errors.size() < 2 * k_batch) return false;  // a few alike may have missed the same
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

namespace {

/// The outcomes of the next fleets, drawn side by side.
std::vector<Result<LawOutcome>> batch_of(const PlannedFleet& fleet, const ProtocolChoice& choice, std::uint64_t first,
                                         std::size_t count, const LawEffort& effort) {
  std::vector<std::optional<Result<LawOutcome>>> made(count);
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++)
      made[i] = run_by_law(fleet, choice, splitmix(first + i), effort);
  };
  {
    std::vector<std::jthread> others;
    const std::size_t threads = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, count);
    for (std::size_t t = 1; t < threads; ++t) others.emplace_back(work);
    work();
  }
  std::vector<Result<LawOutcome>> out;
  for (std::optional<Result<LawOutcome>>& one : made) out.push_back(std::move(*one));
  return out;
}

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
  Outlook out;
  out.metric = "l2_squared_error";
  out.cannot = 0;
  std::vector<double> errors, zeros;
  const LawEffort effort{.numbers = 1e6 * options.effort,
                         .devices = static_cast<std::uint64_t>(std::max(100.0, 1000 * options.effort))};
  while (errors.size() < options.fleets && !is_enough(errors, errors.empty() ? 0 : spread_of(zeros).mean)) {
    if (fleet.is_stopped && fleet.is_stopped()) return Error{"plan.stopped", "stopped on request", "", "start again"};
    const std::size_t count = std::min<std::size_t>(k_batch, options.fleets - errors.size());
    const std::uint64_t first = options.seed * 0x9e3779b9 + errors.size();
    for (const Result<LawOutcome>& run : batch_of(fleet, choice, first, count, effort)) {
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
  const Spread spread = spread_of(errors);
  out.zero = spread_of(zeros).mean;
  out.predicted = spread.mean;
  out.low = std::min(out.predicted, quantile_of(errors, 0.1));
  out.high = std::max(out.predicted, quantile_of(errors, 0.9));
  out.fleets = static_cast<std::uint32_t>(errors.size());
  out.prospect = prospect_of(spread, out.zero, false);
  // A model that its own validation does not call learned in most fleets is not one to promise.
  if (out.prospect == Prospect::learnable && out.learned < 0.5) out.prospect = Prospect::uncertain;
  return out;
}

}  // namespace sotto::analyzer
