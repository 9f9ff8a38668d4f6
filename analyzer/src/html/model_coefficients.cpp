// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "model_sections.hpp"
#include "sotto/analyzer/html/interval_chart.hpp"
#include "sotto/analyzer/html/number_text.hpp"
#include "sotto/analyzer/html/page.hpp"
#include "sotto/analyzer/html/rows_table.hpp"
#include "sotto/analyzer/math/normal.hpp"

// Sections of a model's page: coefficients with intervals, and votes.
namespace sotto::analyzer::html {
namespace {

// With more rows a chart is unreadable; the table has them all.
constexpr std::size_t k_rows_drawn = 64, k_votes_drawn = 24;

Html found_html(bool found) {
  return found ? Html("<span class=\"found\">&#9679; found</span>")
               : Html("<span class=\"not-found\">&#9675; not found</span>");
}

/// The number of decimals that shows two digits of the smallest standard error; more would be noise.
int decimals_of(const Model& m) {
  double least = std::numeric_limits<double>::infinity();
  for (const Coefficient& c : m.coefficients) {
    if (c.standard_error > 0) least = std::min(least, c.standard_error);
  }
  return std::isfinite(least) ? std::clamp(1 - static_cast<int>(std::floor(std::log10(least))), 0, 9) : 3;
}

Html interval_html(double low, double high, int decimals) {
  if (!std::isfinite(low) || !std::isfinite(high)) return {};
  return markup("<span class=\"tight\">{} to {}</span>", signed_fixed(low, decimals), signed_fixed(high, decimals));
}

Html last_cohort_html(const Model& m, const Coefficient& c, int decimals) {
  if (!std::isfinite(c.standard_error) || is_collected_once(m)) return {};
  return markup("{} <small class=\"tight\">standard error {}</small>", signed_fixed(c.last_cohort, decimals),
                fixed(c.standard_error, decimals));
}

/// In the study's units: the value, its interval, and what the units are.
Html per_unit_html(const Model& m, const Coefficient& c) {
  if (!std::isfinite(c.per_unit)) return {};
  Html out = escape(signed_number(c.per_unit));
  const double ratio = c.estimate == 0 ? 0 : c.per_unit / c.estimate;
  if (ratio != 0 && std::isfinite(c.low) && std::isfinite(c.high))
    out +=
        markup(" <small class=\"tight\">{} to {}</small>", signed_number(ratio * c.low), signed_number(ratio * c.high));
  if (m.target_unit.empty() && c.unit.empty()) return out;
  return out + markup(" <small>{} per {}</small>", name_html(m.target_unit.empty() ? m.target : m.target_unit),
                      name_html(c.unit.empty() ? "unit" : c.unit));
}

double truth_of(const SimulationFacts& facts, std::uint32_t feature) {
  const auto found = std::ranges::find(facts.coefficients, feature, &SimulationFacts::True::feature);
  return found == facts.coefficients.end() ? 0 : found->value;
}

bool is_in_model(const Model& m, std::uint32_t feature) {
  return std::ranges::find(m.coefficients, feature, &Coefficient::feature) != m.coefficients.end();
}

Html chart(const Model& m, const SimulationFacts& facts) {
  constexpr double k_none = std::numeric_limits<double>::quiet_NaN();
  std::vector<IntervalRow> rows;
  for (const Coefficient& c : m.coefficients) {
    if (rows.size() == k_rows_drawn) break;
    const auto truth = facts.knows_coefficients ? std::optional(truth_of(facts, c.feature)) : std::nullopt;
    rows.push_back(
        {c.name, c.estimate, c.low, c.high, truth, c.last_cohort, !c.found, c.found ? "found" : "not found"});
  }
  for (const SimulationFacts::True& t : facts.coefficients) {
    if (rows.size() == k_rows_drawn) break;
    if (!is_in_model(m, t.feature)) rows.push_back({t.name, 0, k_none, k_none, t.value, k_none, true, "missed"});
  }
  return interval_chart(
      rows, "Coefficients with 95 % intervals",
      "One row for each variable of the model, strongest first, with the word found or not found. The "
      "numbers are in the table below.",
      ChartScale::number);
}

Html table(const Model& m, const SimulationFacts& facts) {
  RowsTable out({"variable", "", "#best guess", "#per unit", "#last cohort", "#95 % interval", "#p-value", "#truth"});
  const int decimals = decimals_of(m);
  for (const Coefficient& c : m.coefficients) {
    out.row({name_html(c.name), found_html(c.found), escape(signed_fixed(c.estimate, decimals)), per_unit_html(m, c),
             last_cohort_html(m, c, decimals), interval_html(c.low, c.high, decimals),
             if_known(c.p_value, p_text(c.p_value)),
             facts.knows_coefficients ? escape(signed_fixed(truth_of(facts, c.feature), decimals)) : Html()});
  }
  return out.html("Coefficients as a table");
}

/// What a coefficient is a number of.
Html unit_words(const Model& m) {
  if (m.units == "device") {
    return markup(
        "Per device standard deviation: by how many of its own standard deviations {} changes on a device when a "
        "variable there rises by one of its own.{}",
        name_html(m.target),
        std::ranges::any_of(m.coefficients, [](const Coefficient& c) { return std::isfinite(c.per_unit); })
            ? " Values per unit take the stated standard deviations as exact and the same on every device."
            : " What that is in units of measurement nobody has stated; sotto report --scales FILE does.");
  }
  return markup("By how many standard deviations {} changes when a variable rises by one of its own.",
                name_html(m.target));
}

/// The introduction to coefficients of protocols that collect one report of each device once.
Html once_lead(const Model& m, bool has_intervals) {
  return markup(
      "<section id=\"coefficients\">\n<h2>Coefficients</h2>\n<p>{} {} at level {} over all features together.</p>\n",
      is_mean(m)
          ? Html("The mean of each feature in full scales; those that noise explains are zero.")
          : markup("By how many full scales {} changes when a variable rises by one of its own.", name_html(m.target)),
      has_intervals
          ? "The 95 % interval holds the noise of the reports. Found means told from zero"
          : "There is no interval: the loss was replaced by a polynomial, which moves a coefficient by an amount "
            "that nobody knows. Found means that noise alone would not have carried it there,",
      plain_number(m.level));
}

}  // namespace

Html coefficients_section(const Model& m, const SimulationFacts& facts) {
  if (!m.function.inputs.empty() || !m.everyday.kind.empty()) return {};
  if (m.coefficients.empty()) {
    return markup(
        "<section id=\"coefficients\">\n<h2>Coefficients</h2>\n<p>Nothing could be learned: no variable can be told "
        "from "
        "noise, so every one of the {} coefficients is zero.</p>\n<p><b>What would be needed.</b> {}</p>\n</section>\n",
        grouped(m.features), m.why_verdict);
  }
  const bool has_intervals =
      std::ranges::any_of(m.coefficients, [](const Coefficient& c) { return std::isfinite(c.standard_error); });
  Html out = is_collected_once(m)
                 ? once_lead(m, has_intervals)
                 : markup(
                       "<section id=\"coefficients\">\n<h2>Coefficients</h2>\n<p>{} The best guess uses every cohort "
                       "and is what predicts.</p>\n",
                       unit_words(m));
  if (is_collected_once(m)) {
    out += interval_key(facts.knows_coefficients);
  } else if (has_intervals) {
    out += two_estimates_key("best guess, from all cohorts", "last cohort with its 95 % interval: found",
                             "ring: not found", facts.knows_coefficients);
  }
  out += chart(m, facts);
  if (m.coefficients.size() > k_rows_drawn)
    out += markup("<p>The strongest {} are drawn; the table has all {}.</p>\n", k_rows_drawn, m.coefficients.size());
  out += table(m, facts);
  const std::size_t zero = m.features - std::min<std::size_t>(m.features, m.coefficients.size());
  out += "<p class=\"after\">";
  // Without units a level has no meaning: it is that of each device.
  if (m.units != "device" ||
      std::ranges::any_of(m.coefficients, [](const Coefficient& c) { return !std::isnan(c.per_unit); }))
    out += markup("Intercept {}{}. ", short_number(m.intercept),
                  m.target_unit.empty() ? Html() : " " + name_html(m.target_unit));
  return out + markup("The other {} coefficients are zero.</p>\n</section>\n", grouped(zero));
}

Html votes_section(const Model& m) {
  if (m.votes.empty()) return {};
  std::vector<IntervalRow> rows;
  RowsTable cells({"variable", "#share", "#standard error"});
  for (const VoteTally& v : m.votes) {
    if (rows.size() < k_votes_drawn)
      rows.push_back({v.name,
                      v.share,
                      v.share - k_interval_95 * v.standard_error,
                      v.share + k_interval_95 * v.standard_error,
                      {}});
    cells.row(
        {name_html(v.name), markup("{} %", fixed(100 * v.share, 1)), markup("{} %", fixed(100 * v.standard_error, 1))});
  }
  return "<section id=\"votes\">\n<h2>Votes</h2>\n<p>Which variable a device found the most telling, as shares of the "
         "devices that were asked. Estimates are unbiased and may fall below zero; the votes choose candidates and say "
         "nothing about strength.</p>\n" +
         interval_key(false) +
         interval_chart(rows, "Shares of votes with 95 % intervals",
                        "One row for each variable, most votes first. The numbers are in the table below.") +
         "<details><summary>The same as a table</summary>\n" + cells.html("Votes as a table") +
         "</details>\n</section>\n";
}

}  // namespace sotto::analyzer::html
