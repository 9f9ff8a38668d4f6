// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <cmath>

#include <fmt/format.h>

#include "sotto/analyzer/central/model.hpp"

// The privacy statement of a fitted model in words.
namespace sotto::analyzer::central {
namespace {

/// How the influence of one row was bounded. Two methods also minimise in doubles on the features that they selected.
std::string clipping_text(const FittedModel& m) {
  if (m.method != "dpsl-kt" && m.method != "two-stage")
    return "Rows were clipped before anything was drawn, exactly and in whole numbers";
  return "Features were chosen by sums of clipped rows, exactly and in whole numbers. On those features rows were "
         "clipped again and a loss was minimised in doubles: the noise covers a gradient of up to 1e-10 that is left "
         "at the end, and that doubles compute it so exactly is assumed, not proved";
}

}  // namespace

std::string_view guarantee_text(Method method) {
  switch (method) {
    case Method::dp_iht: return "(epsilon, delta), exact for Gaussian noise on all rows";
    case Method::dp_sgd_ht:
    case Method::dp_scsg_ht:
    case Method::dp_scsg_ht_1:
    case Method::dp_svrg_ht: return "(epsilon, delta), while nobody learns which rows were sampled";
    case Method::peeling:
    case Method::select_fit:
    case Method::frank_wolfe: return "(epsilon, delta)";
    case Method::kt_output: return "(epsilon, delta), by strong convexity on a private support";
    case Method::kt_teacher: return "(epsilon, delta) of the teacher; the student adds nothing";
    case Method::kt_paper: return "none is proven";
    case Method::two_stage: return "(epsilon, delta), by objective perturbation on a private support";
  }
  return "";
}

std::string_view fit_verdict(const FittedModel& m) {
  if (!m.is_private) return "not private";
  if (!m.is_proven) return "privacy not proven";
  return m.is_seeded ? "rehearsal" : "private";
}

std::vector<std::string> fit_statement(const FittedModel& m, std::uint32_t fits) {
  std::vector<std::string> say;
  if (!m.is_private) {
    return {"This model has no noise and protects nobody: it shows what its method could learn from these rows."};
  }
  if (m.scales_source == ScalesSource::exact) {
    return {
        "WARNING: no privacy is proven for this model. The columns' offsets and deviations were computed from the rows "
        "without noise, and the intercept and the coefficients per unit contain them: anyone who knows the other rows "
        "can compute a row from them. Do not publish it as private.",
        fmt::format("The noise of the coefficients was drawn for epsilon {:g} and delta {:g}.", m.epsilon, m.delta)};
  }
  if (!m.is_proven) {
    return {
        "WARNING: no privacy is proven for this model. The printed sensitivity is false for sparse models, the noise "
        "is around an "
        "iterate and not the minimiser, and the bound on gradients is not enforced. Do not publish it as private.",
        fmt::format("The noise was drawn as printed for epsilon {:g} and delta {:g}.", m.epsilon, m.delta)};
  }
  if (m.is_seeded)
    say.emplace_back(
        "This is a rehearsal and protects nobody: the coins follow from --seed, which is in this file, and anyone who "
        "has it can subtract the noise. What follows holds for a fit without --seed.");
  const bool is_add = m.adjacency == "add-remove";
  say.push_back(
      fmt::format("The unit is one row. Between data sets that differ in {}, every set of models has at most e^{:.4g} "
                  "= {:.3g} times "
                  "the chance, plus {:g}.",
                  is_add ? "whether one row takes part or is blank" : "the content of one row", m.epsilon_delivered,
                  std::exp(m.epsilon_delivered), m.delta));
  say.emplace_back(is_add ? "The number of rows, blank ones with them, is public. Between two contents of one row "
                            "epsilon is up to twice as large, and delta up to 1 + e^epsilon times. A person with "
                            "several rows is protected row by row: for "
                            "r rows, epsilon is up to r times as large, and delta up to r e^((r - 1) epsilon) times."
                          : "The number of rows is public. A person with several rows is protected row by row: for r "
                            "rows, epsilon is up to r times "
                            "as large, and delta up to r e^((r - 1) epsilon) times.");
  say.push_back("Coefficients, the choice of features and all steps in between are covered. " + clipping_text(m) +
                (m.z > 0 ? fmt::format("; the noise multiplier is {:.4g}.", m.z) : std::string(".")));
  if (m.scales_source == ScalesSource::paid)
    say.push_back(fmt::format(
        "The columns' offsets and deviations, which the intercept and the coefficients per unit contain, were measured "
        "with noise and are covered: they took {:.3g} of the budget's precision, epsilon {:.3g} by themselves{}",
        m.moments_share, m.moments_epsilon,
        m.is_common_range ? ". There were too few rows for a range of each column, so that all share one: --scales "
                            "FILE gives each its own, from what is public."
                          : "."));
  if (m.scales_source == ScalesSource::given)
    say.emplace_back(
        "The columns' offsets and deviations were given, and must have been known without looking at the rows: the "
        "intercept and the coefficients per unit contain them.");
  if (m.method.find("sgd") != std::string::npos || m.method.find("scsg") != std::string::npos ||
      m.method.find("svrg") != std::string::npos)
    say.emplace_back("Which rows a step sampled must stay unknown: the coins are not kept.");
  say.emplace_back(
      "Not covered: validation numbers and loss curves. They come from rows without noise; keep them with the data.");
  say.push_back(fmt::format(
      "Earlier fits count too: whoever looks at r fits of these rows and keeps the best has spent an epsilon of up to "
      "{:.4g} r, and r times delta. {}",
      m.epsilon_delivered,
      fits > 1 ? fmt::format("This call fitted {} models beside the released one for its validation numbers.", fits - 1)
               : "This call fitted this model only."));
  if (m.delta * static_cast<double>(m.rows) >= 1)
    say.push_back(fmt::format("delta {:g} is not below 1 / rows: it allows giving away a whole row.", m.delta));
  if (m.epsilon > 4)
    say.emplace_back("Epsilon above 4 is weak: the model may reveal much about a row to anyone who knows the others.");
  return say;
}

}  // namespace sotto::analyzer::central
