// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "live_charts.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace sotto::analyzer {
namespace {

using html::Html;
using html::markup;

/// What a reason says to whoever did not write it.
std::string_view words_of(Reason reason) noexcept {
  switch (reason) {
    case Reason::accepted: return "counted";
    case Reason::malformed: return "not a report";
    case Reason::unsupported_version: return "of another format version";
    case Reason::foreign_study: return "for another study";
    case Reason::early: return "before its round was open";
    case Reason::late: return "after its round was closed";
    case Reason::forged: return "with a seal that does not hold";
    case Reason::wrong_question: return "to another question";
    case Reason::wrong_cohort: return "from a device that was not asked";
    case Reason::bad_payload: return "with an answer that no device can give";
    case Reason::duplicate: return "sent again, counted once";
    case Reason::conflict: return "contradicting one of the same device: none counts";
  }
  return "";
}

}  // namespace

Html arrivals_chart(const StudyView& view) {
  constexpr int k_width = 600, k_height = 80, k_step = k_width / static_cast<int>(k_arrival_minutes);
  const std::uint64_t most = std::max<std::uint64_t>(1, *std::ranges::max_element(view.arrivals));
  Html bars;
  for (std::size_t i = 0; i < view.arrivals.size(); ++i) {
    const auto height = static_cast<int>(view.arrivals[i] * (k_height - 4) / most);
    bars += markup("<rect class=\"point\" data-minute=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>", i,
                   static_cast<int>(i) * k_step, k_height - height, k_step - 2, height);
  }
  return markup(
      "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"accepted reports in each of the last 60 minutes\" "
      "id=\"arrivals\"><line class=\"axis\" x1=\"0\" x2=\"{}\" y1=\"{}\" y2=\"{}\"/>{}</svg>\n"
      "<p class=\"ends\"><span>an hour ago</span><span>at most <b id=\"most\">{}</b> a "
      "minute</span><span>now</span></p>\n",
      k_width, k_height, k_width, k_height, k_height, bars, *std::ranges::max_element(view.arrivals));
}

Html rounds_chart(const StudyService& service, const StudyView& view) {
  constexpr double k_width = 600, k_gap = 3;
  const std::size_t rounds = std::max<std::size_t>(service.rounds(), view.number);
  const double step = (k_width + k_gap) / static_cast<double>(rounds);
  const bool is_over = view.stage == Stage::finished;
  Html fields;
  for (std::size_t i = 1; i <= rounds; ++i) {
    // The rounds that were not needed are not shown as asked.
    const bool is_closed = i < view.number || (is_over && i == view.number);
    fields += markup(
        "<rect class=\"{}\" x=\"{:.1f}\" y=\"1\" width=\"{:.1f}\" height=\"14\" rx=\"3\"><title>round {}: "
        "{}</title></rect>",
        is_closed          ? "part-1"
        : i == view.number ? "part-2"
                           : "band",
        static_cast<double>(i - 1) * step, std::max(step - k_gap, 1.0), i,
        is_closed          ? "closed"
        : i == view.number ? stage_name(view.stage)
                           : "to come");
  }
  return markup(
      "<svg viewBox=\"0 0 {} 16\" role=\"img\" aria-label=\"{} of {} rounds are closed\" id=\"rounds\">{}</svg>\n",
      static_cast<int>(k_width), is_over ? view.number : view.number - 1, rounds, fields);
}

Html refusals(const StudyView& view) {
  const std::uint64_t all = view.counts.total();
  Html rows;
  for (std::size_t i = 1; i < k_reasons; ++i) {
    const auto reason = static_cast<Reason>(i);
    const std::string_view name = reason_name(reason);
    rows += markup(
        "<tr{}><th>{}<small><code>{}</code></small></th><td><progress id=\"share-{}\" max=\"{}\" "
        "value=\"{}\"></progress>"
        "</td><td class=\"n\" data-name=\"reports\" id=\"reason-{}\">{}</td></tr>\n",
        view.counts.of[i] == 0 ? Html(" hidden") : Html(), words_of(reason), name, name,
        std::max<std::uint64_t>(all, 1), view.counts.of[i], name, view.counts.of[i]);
  }
  const bool is_none = all == view.counts[Reason::accepted];
  return markup(
      "<p id=\"none-refused\"{}>None: every report that came counts.</p>\n<table class=\"facts\"><tbody "
      "id=\"refusals\">\n{}</tbody></table>\n",
      is_none ? Html() : Html(" hidden"), rows);
}

std::string_view live_style() noexcept {
  return R"(
[hidden] { display: none !important; }
progress { appearance: none; display: block; width: 100%; height: .8rem; border: 0; border-radius: 4px; overflow: hidden; background: var(--grid); margin: .3rem 0; }
progress::-webkit-progress-bar { background: var(--grid); } progress::-webkit-progress-value { background: var(--blue); } progress::-moz-progress-bar { background: var(--blue); }
.ends { display: flex; justify-content: space-between; gap: 1rem; font-size: .85rem; max-width: none; margin-top: .2rem; } .ends b { font-weight: 600; }
button, input { font: inherit; border: 1px solid var(--line); border-radius: 8px; padding: .35rem .8rem; background: var(--ground); color: var(--ink); }
button { cursor: pointer; font-weight: 600; } button:hover { border-color: var(--blue); } button.grave { color: var(--bad); }
input[type=number] { width: 8rem; }
.orders { display: flex; flex-wrap: wrap; gap: .8rem 1.2rem; align-items: end; border-top: 1px solid var(--line); padding-top: 1rem; margin-top: 1rem; }
.ready { font-size: 1.2rem; font-weight: 600; margin: .8rem 0 0; } a { color: var(--blue); } .brand a { color: inherit; }
.facts th { width: 45%; } .facts td { vertical-align: middle; }
)";
}

}  // namespace sotto::analyzer
