// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/central/fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "methods.hpp"
#include "sotto/analyzer/accountant/calibrate.hpp"

namespace sotto::analyzer::central {
namespace {

struct Entry {
  Method method;
  std::string_view name;
  Result<FitResult> (*fit)(const FitWork& work);
};

constexpr std::array k_entries = {
    Entry{Method::dp_iht, "dp-iht", fit_iht},
    Entry{Method::dp_sgd_ht, "dp-sgd-ht", fit_sgd},
    Entry{Method::dp_scsg_ht, "dp-scsg-ht", fit_snapshots},
    Entry{Method::dp_scsg_ht_1, "dp-scsg-ht-1", fit_snapshots},
    Entry{Method::dp_svrg_ht, "dp-svrg-ht", fit_snapshots},
    Entry{Method::peeling, "peeling", fit_peeling},
    Entry{Method::select_fit, "select-fit", fit_selected},
    Entry{Method::kt_output, "dpsl-kt", fit_output_noise},
    Entry{Method::kt_teacher, "dpsl-kt-teacher", fit_teacher},
    Entry{Method::kt_paper, "dpsl-kt-paper", fit_printed_transfer},
    Entry{Method::frank_wolfe, "frank-wolfe", fit_frank_wolfe},
    Entry{Method::two_stage, "two-stage", fit_two_stage},
};

const Entry& entry(Method method) { return k_entries[static_cast<std::size_t>(method)]; }

/// The limits lie far beyond any measured quantity, yet far enough from the range of doubles that products of several
/// bounds are normal numbers.
Result<Done> check_bounds(const Problem& problem, const FitSettings& s) {
  const struct {
    double value;
    const char *option, *what;
  } all[] = {{problem.bounds.row, "--row-bound", "the length of a usual row"},
             {problem.bounds.value, "--value-bound", "the size of a large value"},
             {problem.bounds.target, "--target-bound", "the standard deviation of the target"},
             {s.step_size.value_or(1), "--step-size", "the length of a step"},
             {s.l1_radius.value_or(1), "--l1-radius", "the radius of the ball"}};
  for (const auto& one : all) {
    if (is_bound(one.value)) continue;
    return Error{"fit.bad_bound", fmt::format("{} is not between 1e-30 and 1e30", one.what),
                 fmt::format("{:g}", one.value), fmt::format("choose {} from 1e-30 to 1e30", one.option)};
  }
  if (problem.l2 >= 0 && problem.l2 <= k_bound_max) return Done{};
  return Error{"fit.bad_bound", "the weight of the l2 term is not between 0 and 1e30", fmt::format("{:g}", problem.l2),
               "choose --l2 from 0 to 1e30"};
}

/// The total variation distance between the sampler and the distribution of the proof is charged to delta, multiplied
/// by 1 + e^epsilon. So the budget is exceeded if delta is too small or epsilon is too large.
std::string overspent_fix(const Budget& budget) {
  constexpr double k_small_delta = 1e-15;
  if (budget.delta < k_small_delta) return "raise --delta: below 1e-20 the noise sampler itself uses it up";
  return "lower --epsilon: what the noise sampler takes from delta grows with e^epsilon, and from about 25 nats on it "
         "is more than delta";
}

Result<Done> check(const Sample& sample, const FitSettings& s) {
  const std::size_t d = sample.problem.x.columns();
  if (s.nonzeros == 0 || s.nonzeros > d) {
    return Error{"fit.bad_nonzeros", "a model has at least one coefficient and no more than there are features",
                 fmt::format("{}", s.nonzeros), fmt::format("choose --nonzeros from 1 to {}", d)};
  }
  constexpr std::size_t k_rows_max = std::size_t{1} << 31;  // times 2^30 steps for each row stays within 64 bits
  if (sample.rows.empty() || sample.rows.size() > k_rows_max) {
    return Error{"fit.bad_rows", "there are no rows, or too many for 64-bit sums",
                 fmt::format("{}", sample.rows.size()), "give between 1 and 2^31 rows"};
  }
  if (const auto good = check_bounds(sample.problem, s); !good) return good;
  if (s.steps && *s.steps == 0)
    return Error{"fit.bad_steps", "the number of steps must be positive", "0", "choose --steps of at least 1"};
  if (!s.budget) return Done{};
  if (const auto good = check_budget(s.budget->epsilon, s.budget->delta); !good) return good.error();
  if (s.method == Method::kt_paper && !s.is_unproven_allowed) {
    return Error{"fit.unproven",
                 "knowledge transfer as published has no proven guarantee: its sensitivity bound does not hold for "
                 "sparse models",
                 std::string(method_name(s.method)),
                 "use dpsl-kt or dpsl-kt-teacher; --unproven runs it for comparison and protects nobody"};
  }
  return Done{};
}

}  // namespace

std::string_view method_name(Method method) { return entry(method).name; }

std::optional<Method> find_method(std::string_view name) {
  for (const Entry& e : k_entries) {
    if (e.name == name) return e.method;
  }
  return {};
}

std::span<const Method> all_methods() {
  static const auto methods = [] {
    std::array<Method, k_entries.size()> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = k_entries[i].method;
    return all;
  }();
  return methods;
}

Result<FitResult> fit(const Sample& sample, const FitSettings& settings, Coins& coins) {
  if (const auto good = check(sample, settings); !good) return good.error();
  PrivacyMeter meter;
  if (settings.budget) {
    for (const GaussianRelease& paid : settings.paid_before) meter.add_gaussian(paid);
  }
  Result<FitResult> made = [&]() -> Result<FitResult> {
    try {
      return entry(settings.method).fit({sample, settings, coins, meter});
    } catch (const StoppedFit&) {
      return Error{"fit.stopped", "stopped on request", "", ""};
    }
  }();
  if (!made) return made;
  FitResult result = std::move(made).value();
  if (!std::ranges::all_of(result.w.at, [](double v) { return std::isfinite(v); }))
    return Error{"fit.diverged", "the fit diverged: a coefficient is not a finite number",
                 std::string(method_name(settings.method)),
                 "lower --step-size or --l2, raise --epsilon, or leave the steps to the rule"};
  result.epsilon = std::numeric_limits<double>::infinity();
  if (!settings.budget || !result.is_proven) return result;
  result.epsilon = meter.epsilon(settings.budget->delta);
  if (!(result.epsilon <= settings.budget->epsilon)) {
    return Error{"fit.overspent", "the fit spent more than its budget, so the model is withheld",
                 fmt::format("{:.9g} of {:.9g}", result.epsilon, settings.budget->epsilon),
                 overspent_fix(*settings.budget)};
  }
  return result;
}

NonzerosChoice choose_nonzeros(double rows, double columns, double epsilon) {
  // The noise depends on the product of rows and epsilon, so the rule uses this product; epsilon above 8 nats counts as
  // 8. On the data sets of docs/CENTRAL.md no other number is better by more than 3 %.
  constexpr double k_epsilon_most = 8, k_divisor = 4;
  const double by_rule = std::round(std::sqrt(rows * std::min(epsilon, k_epsilon_most)) / k_divisor);
  const auto count = static_cast<std::uint32_t>(std::clamp(by_rule, 1.0, columns));
  return {count, fmt::format("by a public rule, sqrt(rows * epsilon) / {:g} and no more than there are features: rows, "
                             "features and epsilon decide, and nothing that the rows hold",
                             k_divisor)};
}

MethodChoice choose_method(double rows, double columns, double epsilon, const PublicBounds& bounds) {
  // With many rows for each coordinate, noise in all coordinates is tolerable; otherwise only selected coordinates get
  // noise.
  constexpr double k_bearable = 10;
  const double strength = rows * epsilon / columns;
  const std::string measured = fmt::format("rows * epsilon / features = {:.3g}", strength);
  if (strength >= k_bearable) {
    return {Method::dp_iht, fmt::format("{} is at least {:g}: every coordinate can bear noise", measured, k_bearable)};
  }
  if (bounds.is_independent) {
    return {Method::peeling, fmt::format("{} is below {:g} and features are declared independent: noise only on "
                                         "coordinates that are chosen, anew in every step",
                                         measured, k_bearable)};
  }
  return {Method::select_fit,
          fmt::format("{} is below {:g}: noise only on coordinates that are chosen, once", measured, k_bearable)};
}

}  // namespace sotto::analyzer::central
