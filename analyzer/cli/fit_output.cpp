// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <cmath>

#include <fmt/format.h>

#include "fit.hpp"
#include "say.hpp"
#include "sotto/analyzer/html/number_text.hpp"
#include "sotto/analyzer/simulate/summary.hpp"

// `sotto fit`: prints the result as text.
namespace sotto::cli {
namespace {

namespace central = analyzer::central;
using analyzer::Summary;

std::string score_text(const FitOutcome& outcome, const MethodResult& of) {
  const Summary s = analyzer::summarize(outcome.is_synthetic ? of.relative_error : of.loss);
  std::string text = fmt::format("{:.4f} +- {:.4f}", s.mean, s.sd);
  if (!outcome.is_regression && !outcome.is_synthetic)
    text += fmt::format("   error {:.4f}", analyzer::summarize(of.error).mean);
  if (!of.limit.empty()) text += fmt::format("   without privacy {:.4f}", analyzer::summarize(of.limit).mean);
  return text;
}

std::string_view score_name(const FitOutcome& outcome) {
  return outcome.is_synthetic ? "relative error" : outcome.is_regression ? "squared error" : "loss";
}

}  // namespace

void print_outcome(const FitCommand& o, const FitOutcome& outcome) {
  const central::FittedModel& m = outcome.model;
  say("method      {}\n            {}\n", m.method, m.why_method);
  say("rows        {} with {} features, {} loss\n", m.rows, m.features, m.loss);
  say("nonzeros    {}, {}\n", m.nonzeros, m.why_nonzeros);
  say("privacy     {}\n", central::fit_verdict(m));
  if (m.is_private && m.is_proven) {
    say("            epsilon {:.6g} of {:g}, delta {:g}, for one row ({}); noise multiplier {:.6g}\n",
        m.epsilon_delivered, m.epsilon, m.delta, m.adjacency, m.z);
  }
  say("\n");
  for (const std::string& sentence : m.privacy) say("  {}\n", sentence);
  say("\nassumed public\n");
  for (const std::string& line : m.assumed_public) say("  {}\n", line);
  constexpr std::size_t k_shown = 12;
  say("\ncoefficients, of the scaled features\n");
  for (std::size_t i = 0; i < std::min(k_shown, m.coefficients.size()); ++i)
    say("  {:>12.5f}  {}\n", m.coefficients[i].value, m.coefficients[i].name);
  if (m.coefficients.size() > k_shown) say("  ... and {} more\n", m.coefficients.size() - k_shown);

  if (m.test) {
    say("\n{} on {} public rows of {}, as private as the model\n",
        central::is_class(m) ? "share of wrong classes" : "squared error", m.test->rows, m.test->file);
    say("  {:16} {:.4f}\n  {:16} {:.4f}\n", "the model", m.test->error,
        central::is_class(m) ? "larger class" : "their mean", m.test->baseline);
  }
  const bool is_validated = !outcome.methods.front().loss.empty() || outcome.is_synthetic;
  if (is_validated) {
    say("\n{} on {}: mean and standard deviation (not private)\n", score_name(outcome),
        outcome.is_synthetic ? "fresh synthetic rows" : fmt::format("{} folds held out", o.fit.folds));
    for (const MethodResult& of : outcome.methods) {
      say("  {:16} {}   {} passes, {:.3g} s\n", central::method_name(of.method), score_text(outcome, of),
          analyzer::html::short_number(of.last.passes), of.seconds);
    }
    if (!outcome.is_synthetic && outcome.is_regression) say("  {:16} {:.4f}\n", "the mean", outcome.baseline);
    if (!outcome.is_synthetic && !outcome.is_regression)
      say("  {:16} {:>26}   error {:.4f}\n", "larger class", "", outcome.baseline);
  }
  if (!o.out.empty()) say("\npage        {}/report.html\n", o.out);
}

}  // namespace sotto::cli
