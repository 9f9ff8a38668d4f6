// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "model_sections.hpp"
#include "sotto/analyzer/html/number_text.hpp"
#include "sotto/analyzer/html/page.hpp"
#include "sotto/analyzer/html/rows_table.hpp"
#include "sotto/analyzer/ingest/reason.hpp"

// Sections of a model's page: sources of error, privacy, what was sent, assumptions, reports.
namespace sotto::analyzer::html {
namespace {

struct Part {
  std::string_view name, words;
  double share;
};

Html hatch(std::string_view id) {
  return markup(
      "<defs><pattern id=\"{}\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\" "
      "patternTransform=\"rotate(45)\">"
      "<line class=\"hatch\" x1=\"0\" x2=\"0\" y1=\"0\" y2=\"8\"/></pattern></defs>",
      id);
}

Html part_rect(std::size_t part, double x, double width, double height, std::string_view pattern) {
  return markup("<rect class=\"part-{}\" x=\"{:.1f}\" y=\"1\" width=\"{:.1f}\" height=\"{}\" rx=\"3\"{}/>", part + 1, x,
                width, height, part == 2 ? markup(" fill=\"url(#{})\"", pattern) : Html());
}

/// One bar divided by shares, distinguished by filling, frame and hatching, not by colour alone.
Html stacked_bar(const std::array<Part, 3>& parts) {
  constexpr double k_width = 860, k_gap = 3, k_min = 4;
  Html title, rects;
  double x = 1;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    title += markup("{}{} {:.0f} %", i == 0 ? "" : ", ", parts[i].name, 100 * parts[i].share);
    if (parts[i].share <= 0) continue;
    const double width = std::max(k_min, parts[i].share * (k_width - 2 - 2 * (k_gap + k_min)));
    rects += part_rect(i, x, width, 30, "hatch");
    x += width + k_gap;
  }
  return markup(
      "<svg class=\"low\" viewBox=\"0 0 {:.0f} 32\" role=\"img\" aria-label=\"{}\"><title>{}</title><desc>One bar "
      "whose "
      "parts are the causes of the predicted squared error.</desc>{}{}</svg>\n",
      k_width, title, title, hatch("hatch"), rects);
}

std::string_view reason_words(std::string_view name) {
  constexpr std::array<std::string_view, k_reasons> k_words = {
      "used",
      "no report, or not of the size that its round asks for",
      "of another format version",
      "to another study",
      "to a round that was not open yet",
      "to a round that was closed",
      "the seal is wrong or missing",
      "answers another question than its round asks",
      "from a device that its round did not ask",
      "a number that the randomizer cannot give",
      "the same report again; one of them counts",
      "different reports of one device; none of them counts",
  };
  for (std::size_t i = 0; i < k_reasons; ++i) {
    if (reason_name(static_cast<Reason>(i)) == name) return k_words[i];
  }
  return "";
}

}  // namespace

Html error_section(const Model& m) {
  const double total = m.error.privacy + m.error.sampling + m.error.clipping;
  if (!std::isfinite(total) || total <= 0) return {};
  if (is_collected_once(m)) {
    return markup(
        "<section id=\"error\">\n<h2>How large the error is</h2>\n<p>{} expected to be off by {}: the noise of the "
        "reports, "
        "privacy and sampling together. What clipping, smoothing or a ridge take off is not in it.</p>\n</section>\n",
        m.function.inputs.empty() ? "Together the coefficients are" : "The function is",
        short_number(std::sqrt(total)) + (m.function.inputs.empty() ? "" : " of its size"));
  }
  const std::array<Part, 3> parts = {
      Part{"privacy",
           "what the randomizers add, and variables that stay hidden in it; more devices or a larger epsilon make it "
           "smaller",
           m.error.privacy / total},
      Part{"sampling", "what devices would differ by without privacy; more devices make it smaller",
           m.error.sampling / total},
      Part{"clipping",
           "answers pulled into the ball that was agreed on; predicted from the model, never measured on devices",
           m.error.clipping / total}};
  const char* const what =
      m.protocol == "boost"
          ? "Noise alone would put the coefficients together off by {} (squared {}); how far steps stop "
            "short of them is not known."
          : "The coefficients together are expected to be off by {} (root of the predicted squared "
            "error {}).";
  const double root = std::sqrt(total);
  Html out = markup("<section id=\"error\">\n<h2>Where the error comes from</h2>\n<p>{}</p>\n{}<ul class=\"key\">\n",
                    fmt::format(fmt::runtime(what), short_number(root), short_number(total)), stacked_bar(parts));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string id = fmt::format("hatch-{}", i);
    out += markup(
        "<li><svg viewBox=\"0 0 26 16\" aria-hidden=\"true\">{}{}</svg><span><b>{} {:.1f} %</b>: {}</span></li>\n",
        i == 2 ? hatch(id) : Html(), part_rect(i, 1, 24, 14, id), parts[i].name, 100 * parts[i].share, parts[i].words);
  }
  return out + "</ul>\n</section>\n";
}

Html privacy_section(const Model& m) {
  Html out("<section id=\"privacy\">\n<h2>What is promised to a device</h2>\n<ul class=\"plain\">\n");
  for (const std::string& sentence : m.privacy) out += markup("<li>{}</li>\n", sentence);
  return out + markup("</ul>\n<p>Epsilon {} for one {}, of which {} is delivered; delta {}.</p>\n</section>\n",
                      plain_number(m.epsilon), m.unit, plain_number(m.epsilon_delivered),
                      m.delta == 0 ? "0" : fmt::format("{:.3g}", m.delta));
}

Html sent_section(const Model& m) {
  Html out = markup(
      "<section id=\"rounds\">\n<h2>What each device sent</h2>\n<p>One report of {} bytes on average; within a "
      "round all have the same size, whatever the samples are. Nothing else.</p>\n",
      markup("{:.4g}", m.bytes_per_report));
  RowsTable table({"round", "question", "recipe", "#candidates", "#radius", "#reports used", "#noise"});
  for (const RoundRecord& r : m.rounds) {
    table.row({markup("{}", r.number), escape(r.question), escape(r.recipe), escape(grouped(r.candidates)),
               r.radius > 0 ? escape(plain_number(r.radius)) : Html("none"), escape(grouped(r.reports)),
               markup("{:.3g}", r.noise)});
  }
  out += table.html("Rounds");
  return out +
         "<p class=\"after\">Candidates are the variables that a round asked about; answers are clipped to the radius, "
         "in "
         "standard deviations; noise is the standard error that privacy adds to one number of the round's result.</p>\n"
         "</section>\n";
}

Html assumed_section(const Model& m) {
  Html out("<section id=\"assumed\">\n<h2>What was assumed to be public</h2>\n");
  if (m.assumed_public.empty()) return out + "<p>Nothing beyond the study itself.</p>\n</section>\n";
  out +=
      "<p>Known, guessed or, where it says so, computed from the data before the first report. Where a guess is wrong "
      "the error is larger than stated, the "
      "privacy "
      "is not less.</p>\n<ul class=\"plain\">\n";
  for (const std::string& sentence : m.assumed_public) out += markup("<li>{}</li>\n", sentence);
  return out + "</ul>\n</section>\n";
}

Html reports_section(const Model& m) {
  Html out = markup("<section id=\"reports\">\n<h2>Reports</h2>\n<p>{} used, {} refused.", grouped(m.reports_used),
                    grouped(m.reports_refused));
  if (m.empty_share > 0) {
    out += markup(" {} % of the devices (standard error {} %) had nothing to say; that is divided out.",
                  fixed(100 * m.empty_share, 1), fixed(100 * m.empty_share_error, 1));
  }
  out += "</p>\n";
  if (m.refused_by_reason.empty()) return out + "</section>\n";
  RowsTable table({"refused", "#reports", "because it was"});
  for (const auto& [name, count] : m.refused_by_reason)
    table.row({escape(name), escape(grouped(count)), escape(reason_words(name))});
  return out + table.html("Refused reports") + "</section>\n";
}

}  // namespace sotto::analyzer::html
