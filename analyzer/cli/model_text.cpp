// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "model_text.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "between_text.hpp"
#include "files.hpp"
#include "say.hpp"
#include "sotto/analyzer/html/model_page.hpp"
#include "sotto/analyzer/model/model_file.hpp"

namespace sotto::cli {

using analyzer::Coefficient;
using analyzer::Model;

namespace {

constexpr std::size_t k_name_min = 8, k_name_max = 32;

bool has_intervals(const Model& model) {
  return std::ranges::any_of(model.coefficients, [](const Coefficient& c) { return std::isfinite(c.standard_error); });
}

/// In target units per unit of the feature, with its interval; empty where nobody stated them.
std::string per_unit_text(const Model& model, const Coefficient& c) {
  if (!std::isfinite(c.per_unit) || model.units != "device") return "";
  const double ratio = c.per_unit / c.estimate;
  std::string text = fmt::format("  {:+.4g}", c.per_unit);
  if (std::isfinite(c.standard_error) && std::isfinite(ratio))
    text += fmt::format(" ({:+.4g} .. {:+.4g})", std::min(ratio * c.low, ratio * c.high),
                        std::max(ratio * c.low, ratio * c.high));
  if (model.target_unit.empty() && c.unit.empty()) return text;
  return text + fmt::format(" {} per {}", model.target_unit.empty() ? model.target : model.target_unit,
                            c.unit.empty() ? "unit" : c.unit);
}

}  // namespace

Json per_unit_json(const Model& model) {
  Json out = Json::array();
  for (const Coefficient& c : model.coefficients) {
    const double ratio = c.per_unit / c.estimate;
    out.push_back({{"name", c.name},
                   {"value", c.per_unit},
                   {"low", std::min(ratio * c.low, ratio * c.high)},
                   {"high", std::max(ratio * c.low, ratio * c.high)}});
  }
  return out;
}

void print_coefficients(const Model& model) {
  std::size_t width = k_name_min;
  for (const Coefficient& c : model.coefficients) width = std::clamp(c.name.size(), width, k_name_max);
  const bool with_intervals = has_intervals(model);
  say("{:<{}}  best guess{}\n", "variable", width,
      !with_intervals            ? ""
      : is_collected_once(model) ? "  95 % interval"
                                 : "  95 % interval of the last cohort");
  for (const Coefficient& c : model.coefficients) {
    const std::string interval =
        std::isfinite(c.standard_error) ? fmt::format("{:+.4f} .. {:+.4f}", c.low, c.high) : "";
    const std::string worth = per_unit_text(model, c);
    say("{:<{}}  {:>+10.4f}{}{}\n", analyzer::first_letters(analyzer::printable(c.name), k_name_max), width, c.estimate,
        with_intervals ? fmt::format("  {:<22}", interval) : "",
        worth.empty() ? c.found ? "  found" : "" : fmt::format("  {:<9}{}", c.found ? "found" : "", worth));
  }
}

namespace {

/// What a coefficient is a number of.
void print_unit(const Model& model) {
  if (is_collected_once(model)) {
    say("\nIn full scales of feature and target.\n");
  } else if (model.units != "device") {
    say("\nIn standard deviations of feature and target.\n");
  } else {
    say("\nPer device standard deviation, of feature and target: effects within a device. Differences of level "
        "between\n"
        "devices are not explained, and a column that never changes on a device is invisible.\n");
  }
}

void print_function(const analyzer::LearnedFunction& f) {
  say("function    a sum of {} {} of", f.coefficients.size(), f.basis);
  for (const analyzer::FunctionInput& input : f.inputs) say(" {}", input.name);
  say("\n");
  constexpr std::size_t k_every = 10;
  for (std::size_t i = 0; i < f.curve.size(); i += k_every) {
    const analyzer::CurvePoint& p = f.curve[i];
    say("  {:>10.4g}  {:>+10.4f}  ({:+.4f} .. {:+.4f})\n", p.x, p.fit, p.low, p.high);
  }
  say("\n");
}

void print_everyday(const analyzer::Everyday& everyday) {
  constexpr std::size_t k_rows_max = 40;
  say("{}\n", everyday.what);
  for (const auto* list : {&everyday.estimates, &everyday.series}) {
    for (const analyzer::EverydayEstimate& e : *list)
      say("  {:<26} {:>12.6g}  ({:.6g} .. {:.6g}) {}\n", e.name, e.value, e.low, e.high, e.unit);
  }
  if (everyday.clip_low < everyday.clip_high)
    say("  readings clipped to {:.6g} .. {:.6g}; {:.2f} % lie beyond, at most {:.2f} %\n", everyday.clip_low,
        everyday.clip_high, 100 * everyday.clipped, 100 * everyday.clipped + 196 * everyday.clipped_error);
  for (const analyzer::EverydayItem& item : everyday.items)
    say("  {:<26} {:>6.2f} %  ({:.2f} .. {:.2f})  p {:.2g}\n", item.name, 100 * item.share, 100 * item.low,
        100 * item.high, item.p_value);
  for (std::size_t i = 0; i < everyday.cells.size() && i < k_rows_max; ++i) {
    const analyzer::EverydayCell& c = everyday.cells[i];
    say("  {:<26} {:>6.2f} %  ({:.2f} .. {:.2f})\n",
        c.name.empty() ? fmt::format("{:.6g} .. {:.6g}", c.from, c.until) : c.name, 100 * c.share, 100 * c.low,
        100 * c.high);
  }
}

}  // namespace

void print_model(const Model& model) {
  say("verdict     {}: {}\n\n", analyzer::verdict_text(model.verdict), model.why_verdict);
  if (!model.everyday.kind.empty()) print_everyday(model.everyday);
  if (!model.function.inputs.empty()) print_function(model.function);
  if (!model.coefficients.empty()) {
    print_coefficients(model);
    print_unit(model);
    if (is_collected_once(model)) {
      say("{} \"found\": told from zero at {:.0f} % over all features together.\n\n",
          has_intervals(model) ? "Intervals hold the noise of the reports."
                               : "There is no interval: a polynomial stood for the loss.",
          100 * model.level);
    } else if (!has_intervals(model)) {
      say("\"found\": noise alone would not have carried it there, at {:.0f} % over all variables together; the "
          "others\n"
          "only help to predict. Steps stop short of the coefficient, so there is no interval for it.\n\n",
          100 * model.level);
    } else {
      say("Intervals come from the last cohort alone, whose candidates were fixed before. \"found\": it confirms the\n"
          "variable at {:.0f} % over all candidates together; the interval of one that is not found may hold less\n"
          "often. The best guess uses all cohorts.\n\n",
          100 * model.level);
    }
  }
  print_between(model);
  if (!model.everyday.kind.empty()) {
    say("\n");
  } else if (is_collected_once(model)) {
    say("error       {:.4g} expected (squared{}): noise of the reports, privacy and sampling together\n",
        model.error.privacy, model.function.inputs.empty() ? "" : ", relative to the function");
  } else {
    say("error       {:.4g} {} (squared): privacy {:.4g}, sampling {:.4g}, clipping {:.4g}\n",
        model.error.privacy + model.error.sampling + model.error.clipping,
        model.protocol == "boost" ? "of noise alone" : "predicted", model.error.privacy, model.error.sampling,
        model.error.clipping);
  }
  say("protocol    {}: {}\n", model.protocol, model.why_protocol);
  say("reports     {} used, {} refused, {:.1f} bytes each\n", model.reports_used, model.reports_refused,
      model.bytes_per_report);
  for (const auto& [reason, count] : model.refused_by_reason) say("  {:<22} {}\n", reason, count);
  say("privacy     epsilon {:.9g} of one {} (promised {:.9g}), delta {:.3g}\n", model.epsilon_delivered, model.unit,
      model.epsilon, model.delta);
  for (const std::string& sentence : model.privacy) say("            {}\n", sentence);
}

analyzer::Result<analyzer::Done> page_is_free(const std::filesystem::path& directory) {
  const std::filesystem::path fit = (directory.empty() ? std::filesystem::path(".") : directory) / "fit.json";
  std::error_code ignored;
  if (std::filesystem::symlink_status(fit, ignored).type() <= std::filesystem::file_type::not_found)
    return analyzer::Done{};
  return analyzer::Error{"model.page_in_use", "the page in this directory belongs to a model of sotto fit",
                         fit.string(), "name another place with --out, or move the fit and its report.html away"};
}

analyzer::Result<analyzer::Done> write_model(const std::filesystem::path& directory, const Model& model,
                                             const analyzer::html::SimulationFacts& facts) {
  if (const auto free = page_is_free(directory); !free) return free.error();
  return write_with_page(directory / "model.json", analyzer::model_json(model), directory / "report.html",
                         analyzer::html::model_page(model, facts));
}

}  // namespace sotto::cli
