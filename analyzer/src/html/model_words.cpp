// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "model_sections.hpp"
#include "sotto/analyzer/html/number_text.hpp"
#include "sotto/analyzer/html/rows_table.hpp"

// Sections of a model's page: the result in plain words, how to read the page, and errors on held-out rows.
namespace sotto::analyzer::html {
namespace {

constexpr std::size_t k_named = 3;  // variables that a sentence can hold

Html list_of(const std::vector<Html>& names) {
  Html out;
  for (std::size_t i = 0; i < names.size(); ++i)
    out += markup("{}{}", i == 0 ? "" : i + 1 == names.size() ? " and " : ", ", names[i]);
  return out;
}

/// "rises with a and b and falls with c", of the strongest; empty without variables.
Html moves(const Model& m) {
  const bool any_found = std::ranges::any_of(m.coefficients, &Coefficient::found);
  std::vector<Html> up, down;
  for (const Coefficient& c : m.coefficients) {
    if (up.size() + down.size() == k_named) break;
    if (any_found && !c.found) continue;
    (c.estimate > 0 ? up : down).push_back(name_html(c.name));
  }
  const bool is_class = m.link != "identity";
  Html out;
  if (!up.empty()) out += markup("{} {}", is_class ? "is more likely with more" : "rises with", list_of(up));
  if (!up.empty() && !down.empty()) out += ", and ";
  if (!down.empty())
    out += markup("{} {}",
                  is_class     ? up.empty() ? "is less likely with more" : "less likely with more"
                  : up.empty() ? "falls when they rise:"
                               : "falls with",
                  list_of(down));
  return out;
}

std::string percent(double share) { return fmt::format("{:.0f}\u00a0%", 100 * share); }

/// How well the model predicts, as it was measured; empty if nothing was.
std::string worth(const Model& m) {
  const Validation& v = m.validation;
  if (v.devices == 0) return {};
  if (v.classes)
    return fmt::format(
        "It is right about {} of rows more often than always saying the more frequent answer ({} to {}).",
        percent(v.gain), percent(v.gain_low), percent(v.gain_high));
  return fmt::format("Together the variables of the model explain about {} of its ups and downs there ({} to {}).",
                     percent(v.r2()), percent(std::max(0.0, v.low())), percent(std::max(0.0, v.high())));
}

Html mean_words(const Model& m) {
  std::vector<Html> names;
  for (const Coefficient& c : m.coefficients) {
    if (c.found && names.size() < k_named) names.push_back(name_html(c.name));
  }
  const auto found = std::ranges::count_if(m.coefficients, &Coefficient::found);
  if (found == 0) return Html("No average can be told from zero: the noise that protects each device hides them.");
  return markup("The averages of {} of {} features can be told from zero, first of all {}.", found, grouped(m.features),
                list_of(names));
}

}  // namespace

Html if_known(double number, const std::string& text) { return std::isfinite(number) ? escape(text) : Html(); }

Html plain_words(const Model& m) {
  const Html target = name_html(m.target);
  if (!m.everyday.kind.empty()) {
    return m.verdict == Verdict::cannot_learn
               ? markup("This study cannot say it: the noise that protects each device hides it.")
               : markup("An answer about all devices together; none of them can be read from it.");
  }
  if (is_mean(m)) return mean_words(m);
  if (!m.function.inputs.empty()) {
    return m.verdict == Verdict::learned
               ? markup("The curve shows how {} follows {} on average.", target, name_html(m.function.inputs[0].name))
               : markup("The curve may be chance: this study cannot vouch for how {} follows {}.", target,
                        name_html(m.function.inputs[0].name));
  }
  if (m.coefficients.empty() || m.verdict == Verdict::cannot_learn) {
    return markup(
        "This study cannot say what moves {}: with so few devices the noise that protects each of them hides it, or "
        "there is nothing to find.",
        target);
  }
  const Html there = m.units == "device" ? Html("On a device, ") : Html();
  if (m.verdict == Verdict::uncertain)
    return markup("Perhaps {} {}, but this study cannot tell that from chance.", target, moves(m));
  return markup("{}{} {}. {}", there, target, moves(m), worth(m));
}

Html reading_section(const Model& m) {
  if (!m.function.inputs.empty() || m.coefficients.empty() || is_mean(m)) return {};
  Html out("<section id=\"reading\">\n<h2>How to read this</h2>\n<ul class=\"plain\">\n");
  if (m.units == "device") {
    out +=
        "<li>Coefficients are effects within a device: what changes there when a variable does. Why one device has "
        "a higher level than another is not explained.</li>\n"
        "<li>A column that never changes on a device is invisible: it cannot be found, however much devices differ "
        "in it.</li>\n";
  }
  if (!is_collected_once(m)) {
    const bool has_intervals =
        std::ranges::any_of(m.coefficients, [](const Coefficient& c) { return std::isfinite(c.standard_error); });
    out += markup("<li>{} at level {} over all candidates together.</li>\n",
                  has_intervals
                      ? "An interval comes from the last cohort alone; its candidates were fixed before. Which of them "
                        "enter the model also uses that cohort, so the interval of a variable that is not found may "
                        "hold less often. Found means confirmed by it"
                      : "There is no interval: steps stop short of the coefficient by an amount that nobody knows. "
                        "Found means that noise alone would not have carried it there,",
                  plain_number(m.level));
  }
  if (m.validation.devices > 0) {
    out += markup(
        "<li>&ldquo;Learned&rdquo; means that the model predicts better than {}, not that every variable is "
        "true.</li>\n",
        m.validation.classes ? "always the more frequent class" : "the device's own mean");
  } else {
    out += "<li>Nothing was measured on devices that taught nothing: how well the model predicts is not known.</li>\n";
  }
  if (m.verdict == Verdict::uncertain && m.validation.devices > 0 && m.epsilon <= 2)
    out +=
        "<li>At epsilon 2 or less and with some hundred devices the measurement rarely says more than "
        "&ldquo;uncertain&rdquo;: ask more devices, or a larger epsilon.</li>\n";
  return out + "</ul>\n</section>\n";
}

Html held_out_section(const SimulationFacts& facts) {
  if (facts.errors.empty()) return {};
  RowsTable table({"", "#" + facts.measure});
  for (const ComparedError& row : facts.errors)
    table.row({escape(row.name), if_known(row.error, short_number(row.error))});
  return markup(
      "<section id=\"held-out\">\n<h2>Beside other models</h2>\n<p>On {}. These numbers come from rows without noise, "
      "which only a simulation has: no epsilon covers them.</p>\n{}{}</section>\n",
      facts.rows, table.html("Errors on held-out rows"),
      facts.levels.empty() ? Html() : markup("<p>{}</p>\n", facts.levels));
}

}  // namespace sotto::analyzer::html
