// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/html/fit_page.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "model_sections.hpp"
#include "sotto/analyzer/html/interval_chart.hpp"
#include "sotto/analyzer/html/line_chart.hpp"
#include "sotto/analyzer/html/number_text.hpp"
#include "sotto/analyzer/html/page.hpp"
#include "sotto/analyzer/html/rows_table.hpp"

namespace sotto::analyzer::html {
namespace {

constexpr std::size_t k_bars_max = 30;

/// The result in one or two sentences, for a reader who knows neither statistics nor privacy.
Html fit_words(const FitPage& p) {
  const central::FittedModel& m = p.model;
  constexpr std::size_t k_named = 3;
  Html names;
  const std::size_t count = std::min(k_named, m.coefficients.size());
  for (std::size_t i = 0; i < count; ++i) {
    const auto& c = m.coefficients[i];
    names += markup("{}{} ({})",
                    i == 0           ? ""
                    : i + 1 == count ? " and "
                                     : ", ",
                    name_html(c.name), c.value > 0 ? "more" : "less");
  }
  if (count == 0) return markup("Nothing in these rows goes along with {} clearly enough.", name_html(m.target));
  Html out = markup("What goes along most with {}: {}.", name_html(m.target), names);
  if (m.test)
    out +=
        markup(" On {} public rows that were not fitted it is {}.", grouped(m.test->rows),
               m.test->error < m.test->baseline ? central::is_class(m) ? "right more often than always the larger class"
                                                                       : "closer to the truth than always their mean"
                                                : "no better than a guess that looks at no column");
  return out;
}

Html head(const FitPage& p) {
  const central::FittedModel& m = p.model;
  Html out = markup(
      "<header>\n<p class=\"brand\">Sotto &middot; model of rows that the server holds</p>\n<h1>What goes along with "
      "{}</h1>\n<p class=\"plainly\">{}</p>\n"
      "<p class=\"lead\"><span class=\"verdict {}\">{}</span> {}</p>\n</header>\n",
      name_html(m.target), fit_words(p), m.is_covered() ? "learned" : "cannot", central::fit_verdict(m),
      m.privacy.front());
  const auto card = [&out](std::string_view name, const std::string& value, const std::string& note) {
    out += markup("<div><dt>{}</dt><dd>{}<small>{}</small></dd></div>\n", name, value, note);
  };
  out += "<dl class=\"cards\">\n";
  card("Method", m.method, fmt::format("{} steps, {} passes", m.steps, short_number(m.passes)));
  card("Epsilon", m.is_private ? plain_number(m.epsilon) : "none",
       m.is_private ? fmt::format("of one row, delta {}", plain_number(m.delta)) : "no noise was drawn");
  card("Coefficients", fmt::format("{}", m.coefficients.size()),
       fmt::format("of {} features; at most {}, {}", grouped(m.features), m.nonzeros,
                   m.why_nonzeros == "as given" ? "as given" : "by a public rule"));
  card("Rows", grouped(m.rows), m.loss + " loss");
  return out + "</dl>\n";
}

Html fitted_section(const central::FittedModel& m) {
  if (m.coefficients.empty()) return Html("<section><h2>Coefficients</h2><p>All of them are zero.</p></section>\n");
  constexpr double k_none = std::numeric_limits<double>::quiet_NaN();
  std::vector<IntervalRow> bars;
  for (const auto& c : m.coefficients) {
    if (bars.size() == k_bars_max) break;
    bars.push_back({.label = c.name, .estimate = c.value, .low = k_none, .high = k_none, .truth = {}});
  }
  Html out = markup(
      "<section id=\"coefficients\">\n<h2>Coefficients</h2>\n<p>Of the scaled features ({} scaling), strongest "
      "first{}. No intervals: the noise of all steps together has no simple law.</p>\n",
      m.scaling, m.coefficients.size() > k_bars_max ? fmt::format(", the first {}", k_bars_max) : "");
  out +=
      interval_chart(bars, "Coefficients", "One bar for each coefficient, from zero to its value.", ChartScale::number);
  out += "<details><summary>All of them as a table</summary>\n";
  RowsTable table({"Feature", "#scaled", "#per unit of the file"});
  for (const auto& c : m.coefficients)
    table.row({name_html(c.name), escape(signed_number(c.value)), if_known(c.per_unit, signed_number(c.per_unit))});
  return out + table.html("All coefficients") + "</details>\n</section>\n";
}

Html test_section(const central::FittedModel& m) {
  if (!m.test) return {};
  const bool is_class = central::is_class(m);
  RowsTable table({"", is_class ? "#share of wrong classes" : "#squared error"});
  const auto row = [&table](std::string_view name, double error) {
    table.row({escape(name), if_known(error, short_number(error))});
  };
  row("this model", m.test->error);
  row(is_class ? "always the larger class" : "always their mean", m.test->baseline);
  return markup(
      "<section id=\"test\">\n<h2>On rows that were held out</h2>\n<p>{} rows of a file that was declared public. They "
      "were not fitted, and nothing but the model goes into these numbers: they are as private as it "
      "is.</p>\n{}</section>\n",
      grouped(m.test->rows), table.html("On rows that were held out"));
}

Html left_off_section(const central::FittedModel& m) {
  if (!m.is_covered() || m.test) return {};
  return Html(
      "<section id=\"validation\">\n<h2>Validation</h2>\n<p>Validation numbers come from rows without noise, and no "
      "epsilon covers them: the command prints them, and they are not on this page. A file of public rows, named with "
      "--test, puts an error here that is as private as the model.</p>\n</section>\n");
}

Html curve_section(const FitPage& p) {
  const bool has_point =
      std::any_of(p.curve.begin(), p.curve.end(), [](const auto& at) { return std::isfinite(at.second); });
  if (!has_point) return {};
  return "<section id=\"curve\">\n<h2>Loss by pass over the rows</h2>\n<p>On the rows that the first fold held out. "
         "These numbers come "
         "from rows without noise: no epsilon covers them.</p>\n" +
         line_chart(p.curve, "passes over the rows", "loss on held-out rows", "Loss by pass",
                    "A line from the first to the last step of the fit on the first fold.") +
         "</section>\n";
}

Html rows_section(const FitPage& p) {
  if (p.rows.empty()) return {};
  RowsTable table({"Method", "Guarantee for one row", "#loss", "#error", "#without privacy", "#passes", "#seconds"});
  for (const FitRow& row : p.rows) {
    table.row({escape(row.method), escape(row.guarantee),
               markup("<span class=\"tight\">{} &plusmn; {}</span>", fixed(row.loss, 4), fixed(row.loss_sd, 4)),
               if_known(row.error, fixed(row.error, 4)), if_known(row.limit, fixed(row.limit, 4)),
               escape(short_number(row.passes)), escape(short_number(row.seconds))});
  }
  return markup(
      "<section id=\"validation\">\n<h2>{}</h2>\n<p>Mean over {} folds, and the standard deviation of one. Not "
      "private: "
      "measured on held-out rows without noise. Seconds are of one fit.{}</p>\n{}</section>\n",
      p.rows.size() > 1 ? "Methods compared" : "Validation", p.folds,
      std::isnan(p.baseline)
          ? ""
          : fmt::format(" {} {}.",
                        central::is_class(p.model) ? "Always the larger class: error" : "Always the mean: loss",
                        fixed(p.baseline, 4)),
      table.html("Validation"));
}

Html list_section(std::string_view id, std::string_view title, const std::vector<std::string>& lines) {
  Html out = markup("<section id=\"{}\">\n<h2>{}</h2>\n<ul class=\"plain\">\n", id, title);
  for (const std::string& line : lines) out += markup("<li>{}</li>\n", line);
  return out + "</ul>\n</section>\n";
}

}  // namespace

std::string fit_page(const FitPage& p) {
  const central::FittedModel& m = p.model;
  Html body = head(p) + fitted_section(m) + test_section(m) + curve_section(p) + rows_section(p) + left_off_section(m);
  body += list_section("privacy", "What is promised for a row", m.privacy);
  body += list_section("assumed", "Assumed public", m.assumed_public);
  const bool is_drawn = m.is_private && !m.is_seeded;
  body += markup(
      "<section id=\"again\">\n<h2>{}</h2>\n<p>{}</p>\n<p>{}</p>\n<pre>{}</pre>\n</section>\n<footer>Made by {}."
      "{}</footer>\n",
      is_drawn ? "The command that drew this model" : "Make this model again", m.why_method,
      is_drawn ? "Its coins are not kept. The command draws another model from the same rows, and spends epsilon and "
                 "delta once more."
               : "The command makes the same model from the same rows.",
      m.command, m.made_by, p.rows.empty() ? "" : " The page holds validation numbers: keep it with the data.");
  return page("Sotto: " + m.target, body);
}

}  // namespace sotto::analyzer::html
