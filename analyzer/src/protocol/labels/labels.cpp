// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "labels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "../frame/plan_parts.hpp"
#include "../rounds/last_cohort.hpp"
#include "../rounds/selection.hpp"
#include "law_check.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"

namespace sotto::analyzer {
namespace {

constexpr double k_unknown = std::numeric_limits<double>::quiet_NaN();

Error without_design(std::string value) {
  return {"protocol.no_design", "labels mean nothing without the rows of features that they belong to",
          std::move(value), "make them with `sotto design DIR FEATURES.csv`"};
}

}  // namespace

Labels::Labels(const RegressionTerms& terms, LabelPlan plan, const Manifest& manifest, const PublicDesign* design,
               LabelSolver solver)
    : RoundProtocol(terms, manifest), plan_(std::move(plan)), design_(design), solver_(solver) {}

Result<RoundDraft> Labels::draft() {
  RoundDraft draft{QuestionKind::label, Recipe::target, 1, k_every_cohort, plan_.spec, {}, {}};
  draft.parameter[recipe::target::bound] = plan_.bound_q15;
  return draft;
}

LabelFit Labels::fit(const LabelRows& rows, LabelPart part) const {
  return solver_ == LabelSolver::lasso ? fit_lasso(rows, part, plan_) : fit_iht(rows, part, terms_, plan_);
}

Result<Done> Labels::record(const RoundAggregate& aggregate) {
  if (design_ == nullptr) return without_design("none was given");
  if (design_->features() != terms_.features) {
    return Error{"protocol.other_design", "the design has another number of features than the study",
                 fmt::format("{} and {}", design_->features(), terms_.features), "use the design of this study"};
  }
  const Result<ScalarLaw> law = ScalarLaw::of(plan_.spec);
  if (!law) return law.error();
  LabelRows rows(*design_, terms_.unit_q15, terms_.validators > 0 ? terms_.validation : 0);
  rows.take(aggregate.reports(), law.value(), plan_.bound);
  const std::uint64_t used = rows.used();
  if (used == 0) {
    return Error{"protocol.no_rows", "no report belongs to a row of the design",
                 fmt::format("{} reports, {} rows", aggregate.used(), design_->rows()),
                 "use the design that was made with this study's credentials"};
  }
  model_.rounds.push_back({1, "label", std::string(recipe_name(Recipe::target)), terms_.features, plan_.bound, used,
                           std::sqrt(plan_.variance / static_cast<double>(used))});
  if (rows.without_row() > 0) {
    model_.assumed_public.push_back(
        fmt::format("{} reports come from pseudonyms without a row of features, and are not used", rows.without_row()));
  }
  look_at_law(rows, law.value());
  const LabelFit all = fit(rows, LabelPart::all);
  for (std::size_t i = 0; i < all.model.feature.size(); ++i) {
    Coefficient c;
    c.feature = all.model.feature[i];
    c.estimate = all.model.value[static_cast<Eigen::Index>(i)];
    c.standard_error = c.low = c.high = c.last_cohort = k_unknown;
    model_.coefficients.push_back(c);
  }
  put_intervals(rows);
  keep_support(model_);
  validate(rows, all);
  describe(all, used);
  return Done{};
}

void Labels::look_at_law(const LabelRows& rows, const ScalarLaw& law) {
  if (!terms_.target_is_normal) return;
  const std::optional<LawCheck> found = check_law(terms_, plan_, law, rows.labels());
  law_fits_ = !found || found->fits;
  model_.assumed_public.push_back(
      !found
          ? "whether the declared law of the target fits cannot be told from these reports"
          : fmt::format(
                "the declared law of the target {} the reports: they look like a deviation of {:.2g} (declared {:.2g}; "
                "chi-square of the declared law, p = {:.2g})",
                law_fits_ ? "fits" : "does not fit", found->deviation, terms_.target_spread(), found->p_value));
}

/// Selects variables on three fifths of the rows and computes intervals on the others, with the linear approximation:
/// clipping then reduces all coefficients by one factor, the gain, and the interval is widened by the uncertainty of
/// the gain. A variable that is selected only on all rows was selected with the help of the rows that confirm it, so
/// its interval is simultaneous over all features (Bonferroni).
void Labels::put_intervals(const LabelRows& rows) {
  const std::vector<std::uint32_t> chosen = fit(rows, LabelPart::choose).model.feature;
  LabelFit line;
  line.model.feature = chosen;
  for (const Coefficient& c : model_.coefficients) line.model.feature.push_back(c.feature);
  std::ranges::sort(line.model.feature);
  // Not std::ranges::unique: Clang 14 does not take the subrange of libstdc++ 12.
  line.model.feature.erase(std::unique(line.model.feature.begin(), line.model.feature.end()), line.model.feature.end());
  if (line.model.feature.empty() || !line_fit(rows, LabelPart::confirm, plan_.line, line)) return;
  const double freedom =
      static_cast<double>(rows.used(LabelPart::confirm)) - static_cast<double>(line.model.feature.size());
  Model candidates;
  candidates.level = model_.level;
  for (std::size_t i = 0; i < line.model.feature.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    Coefficient c;
    c.feature = line.model.feature[i];
    c.last_cohort = line.model.value[k];
    const double features = std::ranges::binary_search(chosen, c.feature) ? 1 : terms_.features;
    // The gain does not affect whether a coefficient is zero, so the p-value uses the noise alone.
    c.standard_error = std::sqrt(std::max(0.0, line.variance[k]));
    put_interval(freedom, c);
    const double p_value = std::min(1.0, features * c.p_value);
    c.standard_error = std::hypot(c.standard_error, plan_.gain_doubt * c.last_cohort);
    put_interval(freedom, c, features);
    c.p_value = p_value;
    candidates.coefficients.push_back(c);
  }
  confirm(candidates);
  for (Coefficient& c : model_.coefficients) {
    const auto at = std::ranges::find(candidates.coefficients, c.feature, &Coefficient::feature);
    if (at == candidates.coefficients.end()) continue;
    const double estimate = c.estimate;
    c = *at;
    c.estimate = estimate;
  }
}

void Labels::describe(const LabelFit& all, std::uint64_t used) {
  const double s = terms_.sparsity, size = static_cast<double>(model_.coefficients.size());
  double length = 0, variance = 0;
  for (std::size_t i = 0; i < all.model.feature.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    length += all.model.value[k] * all.model.value[k];
    variance += all.variance[k];
  }
  // Variables that were not found are small: each is at most as large as noise can hide.
  const double usual = size > 0 ? variance / size : terms_.norm * terms_.norm / s;
  const double missed = std::max(0.0, s - size) * usual;
  const double privacy = all.noise > 0 ? std::clamp(plan_.variance / all.noise, 0.0, 1.0) : 1;
  model_.error = {variance * privacy + missed, variance * (1 - privacy), 0};
  const auto found = static_cast<double>(std::ranges::count_if(model_.coefficients, &Coefficient::found));
  const double snr = plan_.snr * static_cast<double>(used) / static_cast<double>(terms_.devices);
  model_.why_verdict =
      size == 0
          ? fmt::format("no variable stands out of the noise of {} labels at {:g} nats", used, terms_.nats())
          : fmt::format("{} variable{} chosen, {} confirmed by the rows that did not choose; signal to noise {:.2g}",
                        size, size == 1 ? "" : "s", found, snr);
  if (snr < k_snr_enough)
    model_.why_verdict += fmt::format(", {} is safe with about {} devices", k_snr_enough, plan_.needed);
  if (!law_fits_) model_.why_verdict += "; the target does not follow the declared law";
}

Model Labels::model() const {
  Model out = model_;
  if (!plan_.hopeless.empty()) out.why_verdict = plan_.hopeless;
  return out;
}

}  // namespace sotto::analyzer
