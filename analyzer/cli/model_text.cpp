// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "model_text.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "files.hpp"
#include "sotto/analyzer/html/model_page.hpp"
#include "sotto/analyzer/model/model_file.hpp"

namespace sotto::cli {

using analyzer::Coefficient;
using analyzer::Model;

namespace {

constexpr std::size_t k_name_least = 8, k_name_most = 32;

std::string interval_text(const Coefficient& c) {
  if (!std::isfinite(c.standard_error)) return "unknown";
  return fmt::format("{:+.4f} .. {:+.4f}", c.low, c.high);
}

void print_coefficients(const Model& model) {
  std::size_t width = k_name_least;
  for (const Coefficient& c : model.coefficients) width = std::clamp(c.name.size(), width, k_name_most);
  fmt::print("{:<{}}  best guess  95 % interval of the last cohort\n", "variable", width);
  for (const Coefficient& c : model.coefficients) {
    fmt::print("{:<{}}  {:>+10.4f}  {:<22}{}\n", c.name.substr(0, k_name_most), width, c.estimate, interval_text(c),
               c.found ? "  found" : "");
  }
}

}  // namespace

void print_model(const Model& model) {
  fmt::print("verdict     {}: {}\n\n", analyzer::verdict_text(model.verdict), model.why_verdict);
  if (!model.coefficients.empty()) {
    print_coefficients(model);
    const bool has_intervals =
        std::ranges::any_of(model.coefficients, [](const Coefficient& c) { return std::isfinite(c.standard_error); });
    if (!has_intervals) {
      fmt::print(
          "\nIn standard deviations of feature and target. \"found\": noise alone would not have carried it there, at "
          "{:.0f} % "
          "over all\nvariables together; the others only help to predict. Steps stop short of the coefficient, so "
          "there is no "
          "interval for it.\n\n",
          100 * model.level);
    } else {
      fmt::print(
          "\nIn standard deviations of feature and target. Intervals come from the last cohort alone, whose candidates "
          "were "
          "fixed before.\n\"found\": it confirms the variable at {:.0f} % over all candidates together; the interval "
          "of one "
          "that is not found may hold\nless often. The best guess uses all cohorts.\n\n",
          100 * model.level);
    }
  }
  fmt::print("error       {:.4g} {} (squared): privacy {:.4g}, sampling {:.4g}, clipping {:.4g}\n",
             model.error.privacy + model.error.sampling + model.error.clipping,
             model.protocol == "boost" ? "of noise alone" : "predicted", model.error.privacy, model.error.sampling,
             model.error.clipping);
  fmt::print("protocol    {}: {}\n", model.protocol, model.why_protocol);
  fmt::print("reports     {} used, {} refused, {:.1f} bytes each\n", model.reports_used, model.reports_refused,
             model.bytes_per_report);
  for (const auto& [reason, count] : model.refused_by_reason) fmt::print("  {:<22} {}\n", reason, count);
  fmt::print("privacy     epsilon {:.9g} of one device (promised {:.9g})\n", model.epsilon_delivered, model.epsilon);
  for (const std::string& sentence : model.privacy) fmt::print("            {}\n", sentence);
}

analyzer::Result<analyzer::Done> write_model(const std::filesystem::path& directory, const Model& model) {
  if (const auto written = write_file(directory / "model.json", analyzer::model_json(model)); !written)
    return written.error();
  return write_file(directory / "report.html", analyzer::html::model_page(model));
}

}  // namespace sotto::cli
