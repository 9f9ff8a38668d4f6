// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <cmath>

#include "private_sums.hpp"
#include "support.hpp"

// The method select-fit: selects the support once, then takes noisy gradient steps on it.
namespace sotto::analyzer::central {
namespace {

struct SelectedRule {
  double choosing_share;  ///< share of the budget for selecting the support
  std::uint32_t steps;
};

SelectedRule selected_rule(const FitWork& work) {
  if (work.problem().bounds.is_independent) return {0.8, 10};
  constexpr double k_strong = 25;
  const std::uint32_t base = work.problem().loss == Loss::logistic ? 20 : 30;
  return {0.3, work.is_private() ? steps_rule(base, work.strength(work.settings.nonzeros), k_strong, 100) : base};
}

}  // namespace

Result<FitResult> fit_selected(const FitWork& work) {
  const auto budget = precision_budget(work);
  if (!budget) return budget.error();
  const SelectedRule rule = selected_rule(work);
  const bool is_whole = work.settings.nonzeros >= work.columns();  // no selection is needed
  const double for_choosing = is_whole ? 0 : rule.choosing_share * budget.value().total;
  const std::vector<std::uint32_t> support = choose_support(work, work.settings.nonzeros, for_choosing);
  const Problem part = restrict_to(work.sample, support);
  Sample rows = all_rows(part);
  rows.count = work.sample.count;

  FitResult result;
  if (!work.is_private()) {
    result.steps = work.steps(k_limit_steps);
    result.w = exact_iht(rows, static_cast<std::uint32_t>(support.size()), result.steps, part.l2, nullptr);
    result.passes = 1 + result.steps;
  } else {
    DescentPlan plan;
    plan.steps = work.steps(rule.steps);
    plan.nonzeros = static_cast<std::uint32_t>(support.size());
    plan.z = std::sqrt(plan.steps / (budget.value().total - for_choosing));
    plan.is_averaged = true;
    plan.step_size = work.settings.step_size.value_or(step_rule(
        part, rows.count, plan.steps, plan.z * reach(work.settings.adjacency), plan.nonzeros, narrow_cap(part)));
    charge_descent(rows, plan, work);
    const double pass_cost = static_cast<double>(support.size()) / static_cast<double>(work.columns());
    const auto watch = [&](double passes, const Weights& w) {
      work.watch(1 + passes, widen(w.at, support, work.columns()));
    };
    result = descend(rows, plan, work, pass_cost, watch);
    result.passes += 1;
  }
  result.w = widen(result.w.at, support, work.columns());
  work.watch(result.passes, result.w);
  return result;
}

}  // namespace sotto::analyzer::central
