// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "between_text.hpp"

#include <cmath>

#include <fmt/format.h>

#include "say.hpp"
#include "sotto/analyzer/protocol/between/plan.hpp"
#include "sotto/analyzer/text/printable.hpp"

namespace sotto::cli {

using analyzer::BetweenStep;

namespace {

constexpr std::size_t k_name_width = 24;

}  // namespace

void print_between_plan(const analyzer::Study& study) {
  const analyzer::RegressionTerms& terms = *study.regression;
  if (!terms.between) return;
  const auto made = analyzer::plan_between(terms);
  if (!made) return;
  const analyzer::BetweenPlan& plan = made.value();
  say("between     {} columns that never change on a device; {} of the devices are asked how the target's level goes "
      "along with them\n",
      terms.between->features.size(), terms.between->devices);
  say("            worth asking where z_b = b sqrt(n_b / (v d)) is {:.0f} or more; here {:.2f} sqrt({:.0f} / ({:.3g} x "
      "{})) = {:.1f}\n",
      analyzer::k_between_strength, plan.effect, plan.asked, plan.variance, terms.between->features.size(),
      plan.strength);
  say("            b is an effect in standard deviations of the levels, as assumed ({:.0f} % explained by {}); n_b "
      "devices "
      "answer with products; v is the noise of one report\n",
      100 * terms.between->explained, terms.between->variables);
  if (plan.strength < analyzer::k_between_strength)
    say("            too weak: an effect of that size will hardly be found, and nothing found is no sign that there is "
        "none. {:.0f} devices would be enough; asked because the study insists\n",
        plan.for_enough);
}

Json between_plan_json(const analyzer::Study& study) {
  const analyzer::RegressionTerms& terms = *study.regression;
  if (!terms.between) return nullptr;
  const auto made = analyzer::plan_between(terms);
  if (!made) return nullptr;
  const analyzer::BetweenPlan& plan = made.value();
  return {{"columns", terms.between->features},
          {"devices", terms.between->devices},
          {"effect", plan.effect},
          {"asked", plan.asked},
          {"variance", plan.variance},
          {"strength", plan.strength},
          {"strength_wanted", analyzer::k_between_strength},
          {"devices_for_enough", plan.for_enough},
          {"insists", terms.between->insist}};
}

std::string between_cohort_text(const analyzer::Study& study, std::size_t index) {
  const auto made = analyzer::plan_between(*study.regression);
  if (!made || index >= made.value().cohorts.size()) return "";
  const analyzer::BetweenCohort& cohort = made.value().cohorts[index];
  switch (cohort.step) {
    case BetweenStep::level: return "between: where levels lie";
    case BetweenStep::screen:
    case BetweenStep::confirm: return fmt::format("between: level times each of {} columns", cohort.candidates);
    case BetweenStep::columns: return fmt::format("between: where {} columns lie", cohort.candidates);
    case BetweenStep::validate: return "between: teaches nothing, measures what was found";
  }
  return "";
}

void print_between(const analyzer::Model& model) {
  const analyzer::Between& between = model.between;
  if (between.columns == 0) return;
  say("between devices\n");
  say("verdict     {}: {}\n", analyzer::verdict_text(between.verdict), between.why_verdict);
  say("level       {:.4g} on average, and devices differ by {:.4g} (standard deviation)\n", between.level,
      between.spread);
  for (std::size_t i = 0; i < between.coefficients.size(); ++i) {
    const analyzer::Coefficient& c = between.coefficients[i];
    const std::string interval =
        std::isfinite(c.standard_error) ? fmt::format("  {:+.4f} .. {:+.4f}", c.low, c.high) : "";
    const std::string centre = i < between.centres.size() && std::isfinite(between.centres[i])
                                   ? fmt::format("  devices around {:.4g}", between.centres[i])
                                   : "";
    say("  {:<{}}{:>+10.4f}{}{}\n", analyzer::first_letters(analyzer::printable(c.name), k_name_width), k_name_width,
        c.estimate, interval, centre);
  }
  if (!between.coefficients.empty())
    say("  In stated standard deviations of level and column. A found column stands for itself or for one that goes\n"
        "  along with it. Intervals come from the last cohort, which also took part in the choice: where an\n"
        "  effect is barely found they hold in about 85 of 100 cases, not in 95.\n");
  say("\n");
}

}  // namespace sotto::cli
