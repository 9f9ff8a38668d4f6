// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <fmt/format.h>

#include "model_sections.hpp"
#include "sotto/analyzer/html/function_chart.hpp"
#include "sotto/analyzer/html/number_text.hpp"
#include "sotto/analyzer/html/page.hpp"
#include "sotto/analyzer/html/rows_table.hpp"

// Section of a model's page: the learned function of one feature.
namespace sotto::analyzer::html {

Html function_section(const Model& m, const SimulationFacts& facts) {
  const LearnedFunction& f = m.function;
  if (f.inputs.empty()) return {};
  Html out = markup("<section id=\"function\">\n<h2>The function</h2>\n<p>{} as a function of ", name_html(m.target));
  for (std::size_t i = 0; i < f.inputs.size(); ++i)
    out += markup("{}{}", i == 0 ? "" : ", ", name_html(f.inputs[i].name));
  out += markup(", a sum of {} {}. ", f.coefficients.size(), f.basis);
  if (f.curve.empty()) {
    return out +
           "It has more than one feature, so there is no picture of it; <code>sotto predict</code> tells its "
           "values.</p>\n</section>\n";
  }
  out +=
      "The line is what was learned, the band holds 95 % of what the noise of the reports does to it; what smoothing "
      "takes off is "
      "not in the band.";
  if (!facts.curve.empty()) out += " Dashed: the function that the simulated fleet has.";
  out += "</p>\n";
  out += function_chart(f.curve, facts.curve, "The learned function with its 95 % band",
                        "A line with a band around it. The numbers are in the table below.");
  RowsTable table({"#" + f.inputs[0].name, "#fit", "#low", "#high"});
  constexpr std::size_t k_every = 10;
  for (std::size_t i = 0; i < f.curve.size(); i += k_every) {
    const CurvePoint& p = f.curve[i];
    table.row({escape(short_number(p.x)), escape(short_number(p.fit)), escape(short_number(p.low)),
               escape(short_number(p.high))});
  }
  return out + "<details><summary>The same as a table</summary>\n" + table.html("The learned function as a table") +
         "</details>\n</section>\n";
}

}  // namespace sotto::analyzer::html
