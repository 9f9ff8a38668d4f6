// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "model_sections.hpp"
#include "sotto/analyzer/html/interval_chart.hpp"
#include "sotto/analyzer/html/number_text.hpp"
#include "sotto/analyzer/html/page.hpp"
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

std::string interval_text(double low, double high, int decimals) {
  if (!std::isfinite(low) || !std::isfinite(high)) return "unknown";
  return signed_fixed(low, decimals) + " to " + signed_fixed(high, decimals);
}

Html per_unit_text(const Model& m, const Coefficient& c) {
  const Html unit =
      m.target_unit.empty() && c.unit.empty()
          ? Html()
          : markup(" <small>{} per {}</small>", name_html(m.target_unit.empty() ? m.target : m.target_unit),
                   name_html(c.unit.empty() ? "unit" : c.unit));
  return markup("{}{}", signed_number(c.per_unit), unit);
}

Html chart(const Model& m) {
  std::vector<IntervalRow> rows;
  for (const Coefficient& c : m.coefficients) {
    if (rows.size() == k_rows_drawn) break;
    rows.push_back({c.name, c.estimate, c.low, c.high, {}, c.last_cohort, !c.found, c.found ? "found" : "not found"});
  }
  return interval_chart(
      rows, "Coefficients with 95 % intervals",
      "One row for each variable of the model, strongest first, with the word found or not found. The "
      "numbers are in the table below.",
      ChartScale::number);
}

Html table(const Model& m) {
  Html out = table_head(
      {"variable", "", "#best guess", "#per unit", "#last cohort", "#standard error", "#95 % interval", "#p-value"});
  const int decimals = decimals_of(m);
  for (const Coefficient& c : m.coefficients) {
    out += markup(
        "<tr><th scope=\"row\" class=\"long\">{}</th><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
        "<td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n tight\">{}</td><td class=\"n "
        "tight\">{}</td></tr>\n",
        name_html(c.name), found_html(c.found), signed_fixed(c.estimate, decimals), per_unit_text(m, c),
        signed_fixed(c.last_cohort, decimals), fixed(c.standard_error, decimals),
        interval_text(c.low, c.high, decimals), p_text(c.p_value));
  }
  return wide("Coefficients as a table", out + "</tbody></table>");
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

Html coefficients_section(const Model& m) {
  if (!m.function.inputs.empty()) return {};
  if (m.coefficients.empty()) {
    return markup(
        "<section id=\"coefficients\">\n<h2>Coefficients</h2>\n<p>Nothing could be learned: no variable can be told "
        "from "
        "noise, so every one of the {} coefficients is zero.</p>\n<p><b>What would be needed.</b> {}</p>\n</section>\n",
        grouped(m.features), m.why_verdict);
  }
  const bool has_intervals =
      std::ranges::any_of(m.coefficients, [](const Coefficient& c) { return std::isfinite(c.standard_error); });
  Html out =
      is_collected_once(m)
          ? once_lead(m, has_intervals)
          : markup(
                "<section id=\"coefficients\">\n<h2>Coefficients</h2>\n<p>By how many standard deviations {} changes "
                "when a "
                "variable rises by one of its own. The best guess uses every cohort and is what predicts. {} at level "
                "{} over "
                "all "
                "candidates together.</p>\n",
                name_html(m.target),
                has_intervals
                    ? "The interval comes from the last cohort alone; its candidates were fixed before. Which of them "
                      "enter the "
                      "model "
                      "also uses that cohort, so the interval of a variable that is not found may hold less often. "
                      "Found means "
                      "confirmed by it"
                    : "There is no interval: steps stop short of the coefficient by an amount that nobody knows. Found "
                      "means that noise alone would not have carried it there,",
                plain_number(m.level));
  if (!is_collected_once(m))
    out += two_estimates_key("best guess, from all cohorts", "last cohort with its 95 % interval: found",
                             "ring: not found");
  out += wide("Coefficients as a chart", chart(m));
  if (m.coefficients.size() > k_rows_drawn)
    out += markup("<p>The strongest {} are drawn; the table has all {}.</p>\n", k_rows_drawn, m.coefficients.size());
  out += table(m);
  const std::size_t zero = m.features - std::min<std::size_t>(m.features, m.coefficients.size());
  return out + markup("<p class=\"after\">Intercept {}{}. The other {} coefficients are zero.</p>\n</section>\n",
                      short_number(m.intercept), m.target_unit.empty() ? Html() : " " + name_html(m.target_unit),
                      grouped(zero));
}

Html votes_section(const Model& m) {
  if (m.votes.empty()) return {};
  std::vector<IntervalRow> rows;
  Html cells = table_head({"variable", "#share", "#standard error"});
  for (const VoteTally& v : m.votes) {
    if (rows.size() < k_votes_drawn)
      rows.push_back({v.name,
                      v.share,
                      v.share - k_interval_95 * v.standard_error,
                      v.share + k_interval_95 * v.standard_error,
                      {}});
    cells +=
        markup("<tr><th scope=\"row\" class=\"long\">{}</th><td class=\"n\">{} %</td><td class=\"n\">{} %</td></tr>\n",
               name_html(v.name), fixed(100 * v.share, 1), fixed(100 * v.standard_error, 1));
  }
  return "<section id=\"votes\">\n<h2>Votes</h2>\n<p>Which variable a device found the most telling, as shares of the "
         "devices that were asked. Estimates are unbiased and may fall below zero; the votes choose candidates and say "
         "nothing about strength.</p>\n" +
         interval_key(false) +
         wide("Votes as a chart", interval_chart(rows, "Shares of votes with 95 % intervals",
                                                 "One row for each variable, most votes first. The numbers are in the "
                                                 "table below.")) +
         "<details><summary>The same as a table</summary>\n" + wide("Votes as a table", cells + "</tbody></table>") +
         "</details>\n</section>\n";
}

}  // namespace sotto::analyzer::html
