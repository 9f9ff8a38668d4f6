// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/html/page.hpp"

#include "sotto/analyzer/text/printable.hpp"

namespace sotto::analyzer::html {
namespace {

// The page carries its own content security policy: a browser refuses to load, run, send or resolve anything elsewhere.
// Framing (frame-ancestors) cannot be forbidden inside a page, only by a header of its server; there is nothing here to
// click.
constexpr std::string_view k_head = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="generator" content="sotto">
)";

constexpr std::string_view k_style = R"(
:root {
  --ground: #f7f7f5; --sheet: #ffffff; --ink: #1c2024; --soft: #5b6470; --line: #e2e4e8; --grid: #eceef1;
  --blue: #2358c5; --tint: #c9d9f8; --truth: #b4480a; --good: #14713f; --good-bg: #e0f3e7; --warn: #8a5300; --warn-bg: #fdf0d5;
  --bad: #a3212b; --bad-bg: #fbe3e4;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171a; --sheet: #1c2024; --ink: #eceef0; --soft: #a2abb6; --line: #30363d; --grid: #282d33;
    --blue: #8ab0ff; --tint: #2b4272; --truth: #ffad6b; --good: #7fdca4; --good-bg: #173524; --warn: #f2c46d; --warn-bg: #3b2d10;
    --bad: #ff9aa0; --bad-bg: #43191d;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
header p { margin: 0; }
.brand { color: var(--soft); font-size: .85rem; letter-spacing: .08em; text-transform: uppercase; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: .3rem 0 .6rem; letter-spacing: -.01em; text-wrap: balance; }
h2 { font-size: 1.15rem; margin: 0 0 .35rem; }
section { background: var(--sheet); border: 1px solid var(--line); border-radius: 12px; padding: 1.4rem 1.5rem; margin-top: 1.25rem; }
section > p.after { margin: .9rem 0 0; } section > :last-child, section > p:last-child { margin-bottom: 0; } section > p { margin: .2rem 0 .9rem; color: var(--soft); max-width: 46rem; }
.plainly { font-size: 1.2rem; line-height: 1.45; max-width: 44rem; margin: 0 0 .8rem; text-wrap: pretty; } header .plainly { margin-bottom: .8rem; }
.lead { max-width: 46rem; color: var(--soft); }
.verdict { display: inline-block; font-weight: 600; border-radius: 999px; padding: .1rem .75rem; margin-right: .4rem; }
.learned { color: var(--good); background: var(--good-bg); }
.uncertain { color: var(--warn); background: var(--warn-bg); }
.cannot { color: var(--bad); background: var(--bad-bg); }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(7.8rem, 1fr)); gap: .9rem; margin: 1.25rem 0 0; padding: 0; }
.cards div { background: var(--sheet); border: 1px solid var(--line); border-radius: 12px; padding: .8rem 1rem; }
.cards dt { color: var(--soft); font-size: .85rem; }
.cards dd { margin: 0; font-size: 1.25rem; font-weight: 600; font-variant-numeric: tabular-nums; }
.cards .worth { grid-column: span 2; border-left: 4px solid var(--blue); } .worth dd { font-size: 1.8rem; line-height: 1.3; } .worth dd span { font-size: 1.05rem; font-weight: 400; color: var(--soft); white-space: nowrap; }
.cards dd small { display: block; font-size: .8rem; font-weight: 400; color: var(--soft); }
svg { display: block; width: 100%; height: auto; } .phone { display: none; max-width: 30rem; }
svg text { font: 12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; fill: var(--soft); }
svg .name { fill: var(--ink); paint-order: stroke; stroke: var(--sheet); stroke-width: 4px; }
svg .grid { stroke: var(--grid); } svg .axis { stroke: var(--soft); }
svg .bar { fill: var(--tint); } svg .whisker { stroke: var(--blue); stroke-width: 2; fill: none; }
svg .point { fill: var(--blue); } svg .ring { fill: var(--sheet); stroke: var(--blue); stroke-width: 2; } svg .quiet { fill: var(--soft); opacity: .55; } svg .band { fill: var(--grid); } svg .curve { fill: none; stroke: var(--blue); stroke-width: 2; } svg .true-line { fill: none; stroke: var(--truth); stroke-width: 2; stroke-dasharray: 6 5; }
svg .truth { fill: var(--sheet); stroke: var(--truth); stroke-width: 2; }
.key { display: flex; flex-wrap: wrap; gap: .4rem 1.4rem; list-style: none; padding: 0; margin: 0 0 .6rem; font-size: .88rem; color: var(--soft); }
.key li { display: flex; align-items: center; gap: .45rem; } .key svg { width: 26px; flex: none; }
table { border-collapse: collapse; width: 100%; font-size: .93rem; font-variant-numeric: tabular-nums; }
h1, p, li, dd, tbody th, td { overflow-wrap: anywhere; } tbody th { max-width: 20rem; } .tight { white-space: nowrap; }
h3 { font-size: 1rem; margin: 1.1rem 0 .3rem; } td small, th small { display: block; color: var(--soft); font-weight: 400; white-space: normal; }
svg .part-1 { fill: var(--blue); } svg .part-2 { fill: var(--tint); stroke: var(--blue); } svg .part-3 { stroke: var(--truth); }
svg .hatch { stroke: var(--truth); stroke-width: 3; } svg.low { margin: .6rem 0 .8rem; }
.found { color: var(--good); font-weight: 600; white-space: nowrap; } .not-found { color: var(--soft); white-space: nowrap; }
th, td { text-align: left; padding: .35rem .9rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 600; } thead th { color: var(--soft); font-weight: 500; }
td.n, th.n { text-align: right; } td.n { white-space: nowrap; }
code, pre { font: .88rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
pre { background: var(--ground); border: 1px solid var(--line); border-radius: 8px; padding: .8rem 1rem; white-space: pre-wrap; margin: .6rem 0 0; }
summary { cursor: pointer; color: var(--blue); margin-top: .8rem; }
ul.plain { margin: .3rem 0 .9rem; padding-left: 1.15rem; max-width: 48rem; } ul.plain li { margin: .2rem 0; }
footer { color: var(--soft); font-size: .88rem; margin-top: 1.5rem; }
@media (max-width: 30rem) { main { padding: 1.5rem .8rem 3rem; } section { padding: 1.1rem 1rem; } h1 { font-size: 1.5rem; } .plainly { font-size: 1.1rem; } .cards { grid-template-columns: 1fr 1fr; } }
@media screen and (max-width: 45rem) {
  .desk { display: none; } .phone { display: block; } .phone text { font-size: 13px; }
}
@media screen and (max-width: 56rem) {
  table, tbody, tr, tbody th, td { display: block; max-width: none; } thead { display: none; }
  tr { display: grid; grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr)); gap: .3rem 1rem; padding: .7rem 0; border-bottom: 1px solid var(--line); }
  tbody th { grid-column: 1 / -1; } tbody th.n, td.n { text-align: left; } th, td { border: 0; padding: 0; }
  td::before { content: attr(data-name); display: block; color: var(--soft); font-size: .8rem; } td[data-name=""]::before, .facts td::before { content: none; }
  td.n { white-space: normal; } .facts tr { display: block; }
}
@media print { body { background: #fff; } .cards div, tr, svg { break-inside: avoid; } h2 { break-after: avoid; } }
)";

}  // namespace

Html escape(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : printable_lines(text)) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
  return HtmlMaker::make(std::move(out));
}

std::string page(std::string_view title, const Html& body) {
  std::string out(k_head);
  out += markup("<title>{}</title>\n", title).text();
  out += "<style>";
  out += k_style;
  out += "</style>\n</head>\n<body>\n<main>\n";
  out += body.text();
  out += "</main>\n</body>\n</html>\n";
  return out;
}

std::string live_page(std::string_view title, const Html& body) {
  std::string out = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="sotto">
)";
  out += markup("<title>{}</title>\n", title).text();
  out +=
      "<link rel=\"stylesheet\" href=\"/style.css\">\n<script src=\"/live.js\" "
      "defer></script>\n</head>\n<body>\n<main>\n";
  out += body.text();
  out += "</main>\n</body>\n</html>\n";
  return out;
}

std::string_view style_sheet() noexcept { return k_style; }

}  // namespace sotto::analyzer::html
