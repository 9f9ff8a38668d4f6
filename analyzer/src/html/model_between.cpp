// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <cmath>

#include "model_sections.hpp"
#include "sotto/analyzer/html/number_text.hpp"
#include "sotto/analyzer/html/rows_table.hpp"

// The section of a model's page about differences between devices.
namespace sotto::analyzer::html {
namespace {

constexpr int k_decimals = 3;

Html per_unit(const Model& m, const Coefficient& c) {
  if (!std::isfinite(c.per_unit)) return {};
  return markup("{} <small>{} per {}</small>", signed_number(c.per_unit),
                name_html(m.target_unit.empty() ? m.target : m.target_unit),
                name_html(c.unit.empty() ? "unit" : c.unit));
}

Html found_table(const Model& m) {
  RowsTable out({"variable", "#best guess", "#per unit", "#95 % interval", "#p-value", "#centre of the devices"});
  const Between& b = m.between;
  for (std::size_t i = 0; i < b.coefficients.size(); ++i) {
    const Coefficient& c = b.coefficients[i];
    out.row({name_html(c.name), escape(signed_fixed(c.estimate, k_decimals)), per_unit(m, c),
             if_known(c.low, signed_fixed(c.low, k_decimals) + " to " + signed_fixed(c.high, k_decimals)),
             if_known(c.p_value, p_text(c.p_value)),
             i < b.centres.size() ? if_known(b.centres[i], short_number(b.centres[i])) : Html()});
  }
  return out.html("What goes along with levels, as a table");
}

}  // namespace

Html between_section(const Model& m) {
  const Between& b = m.between;
  if (b.columns == 0) return {};
  Html out = markup(
      "<section id=\"between\">\n<h2>What tells devices apart</h2>\n<p><b>{}.</b> {}.</p>\n<p>The level of {} is its "
      "mean "
      "on a device: about {} on average, and devices differ by {} (standard deviation). Devices of their own were "
      "asked "
      "how it goes along with {} that never change on a device.</p>\n",
      verdict_text(b.verdict), b.why_verdict, name_html(m.target), short_number(b.level), short_number(b.spread),
      b.columns == 1 ? "one column" : grouped(b.columns) + " columns");
  if (b.coefficients.empty()) return out + "<p>Nothing was found, and nothing is stated.</p>\n</section>\n";
  return out +
         "<p>By how many stated standard deviations the level rises with one of the column's. A found column stands "
         "for itself or for one that goes along with it; it need not be a cause. The interval comes from the last "
         "cohort, which also took part in the choice: where an effect is barely found it holds in about 85 of 100 "
         "cases, not in 95.</p>\n" +
         found_table(m) + "</section>\n";
}

}  // namespace sotto::analyzer::html
