// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "plan_output.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "say.hpp"

namespace sotto::cli {
namespace {

using analyzer::CurveValue;
using analyzer::Outlook;

/// A bar chart of the terminal: errors as shares of the zero model's, the fleet's own point marked.
void print_curve(const std::vector<CurveValue>& curve, const char* name, double own, const Outlook& of) {
  const double zero = of.zero;
  constexpr double k_width = 40;
  say("\n{:>10}  {}; a full bar is the zero model's\n", name, of.metric);
  for (const CurveValue& p : curve) {
    const double share = std::isfinite(p.predicted) && zero > 0 ? std::min(1.0, p.predicted / zero) : 1;
    const auto full = static_cast<std::size_t>(std::lround(k_width * share));
    say("{:>10.6g}  {:<40} {:.3g}  {}{}\n", p.x, std::string(full, '#'), p.predicted,
        analyzer::prospect_text(p.prospect), p.x == own ? "  <- this fleet" : "");
  }
}

}  // namespace

void print_plan(const PlanShown& shown) {
  const analyzer::Plan& plan = shown.plan;
  const Outlook& best = plan.recommended;
  const analyzer::PlannedFleet& fleet = shown.request.fleet;
  say("verdict     {}\n", analyzer::prospect_text(best.prospect));
  say("take        {}: {}\n", best.protocol, plan.why_recommended);
  say("error       {:.3g} predicted ({}), four fleets of five between {:.3g} and {:.3g}; a model that says nothing has "
      "{:.3g}\n",
      best.predicted, best.metric, best.low, best.high, best.zero);
  const bool tells_found = analyzer::request::tells_found(best);
  const std::string found =
      tells_found ? fmt::format("{:.0f} % of the variables that matter, ", 100 * best.found) : std::string();
  const std::string width = best.half_width > 0 ? fmt::format("intervals of +-{:.2g}", best.half_width) : std::string();
  if (best.f1 > 0 || tells_found)
    say("finds       {}F1 {:.2f}{}\n", found, best.f1, width.empty() ? "" : "; " + width);
  else if (!width.empty())
    say("shows       {}\n", width);
  say("chances     learned {:.0f} %, uncertain {:.0f} %, cannot learn {:.0f} %\n", 100 * best.learned,
      100 * best.uncertain, 100 * best.cannot);
  say("asks        {:.0f} reports in {} rounds, {:.0f} bytes each, {:.3g} MB in all{}\n", best.reports, best.rounds,
      best.report_bytes, best.bytes / 1e6,
      best.smallest_cohort > 0 ? fmt::format("; about {} devices in the smallest cohort", best.smallest_cohort) : "");
  if (best.device.m0 > 0) {
    say("device      {:.3g} million instructions on a Cortex-M0+, {:.3g} on an M4F, {} bytes of work space, for its "
        "one "
        "report\n",
        best.device.m0 / 1e6, best.device.m4 / 1e6, best.device.work_bytes);
  }
  if (shown.rate > 0) say("takes       {:.1f} days at {:.6g} reports a day\n", best.reports / shown.rate, shown.rate);
  say("bound       {:.3g} = {}: {}{}\n", plan.bound.value, plan.bound.formula, plan.bound.source,
      plan.bound.caveat.empty() ? "" : " (" + plan.bound.caveat + ")");
  if (plan.needs) {
    const auto told = [](const char* unit, auto value) {
      return value ? fmt::format("{} {:.6g}", unit, static_cast<double>(*value)) : fmt::format("no {} is enough", unit);
    };
    say("needs       {}; or, with this fleet, {}\n", told("devices", plan.needs->devices),
        told("epsilon", plan.needs->epsilon));
  }
  if (plan.smallest_effect) say("smallest    effect that is found in four of five: {:.2g}\n", *plan.smallest_effect);
  if (plan.protocols.size() > 1) {
    say("\n{:<14} {:>10} {:>10} {:>10}  {:<12} {:>5} {:>7} {:>6}\n", "protocol", "predicted", "low", "high", "verdict",
        "F1", "learned", "rounds");
    for (const Outlook& o : plan.protocols) {
      say("{:<14} {:>10.3g} {:>10.3g} {:>10.3g}  {:<12} {:>5.2f} {:>5.0f} % {:>6}\n", o.protocol, o.predicted, o.low,
          o.high, analyzer::prospect_text(o.prospect), o.f1, 100 * o.learned, o.rounds);
    }
  }
  if (!plan.by_devices.empty()) print_curve(plan.by_devices, "devices", static_cast<double>(fleet.world.devices), best);
  if (!plan.by_epsilon.empty()) print_curve(plan.by_epsilon, "epsilon", fleet.epsilon, best);
  if (!plan.guesses.empty()) {
    say("\nif a guess is wrong\n");
    for (const analyzer::WrongGuess& g : plan.guesses)
      say("  {:<36} {:>9.3g} of {:<9.3g} {}\n", g.what, g.predicted, g.zero, analyzer::prospect_text(g.prospect));
  }
}

}  // namespace sotto::cli
