// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/simulate/vote_page.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>

#include "sotto/analyzer/channel/epsilon.hpp"
#include "sotto/analyzer/channel/privacy_statement.hpp"
#include "sotto/analyzer/html/dot_chart.hpp"
#include "sotto/analyzer/html/interval_chart.hpp"
#include "sotto/analyzer/html/number_text.hpp"
#include "sotto/analyzer/html/page.hpp"
#include "sotto/analyzer/html/rows_table.hpp"
#include "sotto/analyzer/simulate/summary.hpp"

namespace sotto::analyzer::html {
namespace {

constexpr std::size_t k_rows_max = 24;

std::string hex(const std::vector<std::uint8_t>& bytes) {
  std::string text;
  for (const std::uint8_t b : bytes) text += fmt::format("{}{:02x}", text.empty() ? "" : " ", b);
  return text;
}

std::string answer_text(const VotePage& p, std::uint32_t answer) {
  return answer == p.fleet.features ? "none" : fmt::format("feature {}", answer);
}

/// The result in one sentence, for a reader who knows neither statistics nor privacy.
std::string plain_words(const VotePage& p) {
  if (p.verdict == Verdict::cannot_learn)
    return "Chance, which every device mixes into its answer, hides what the fleet voted for.";
  const std::uint32_t first = strongest(p.run.estimate, 1).front();
  return fmt::format(
      "Every device mixed chance into its answer, so that nobody can tell what it voted for; all together they still "
      "show that feature {} leads, with about {:.0f}\u00a0% of the votes.",
      first, 100 * p.run.estimate.share[first]);
}

Html head(const VotePage& p, const ChannelFacts& facts) {
  constexpr std::array k_class = {"learned", "uncertain", "cannot"};
  constexpr std::array k_words = {
      "Every feature that carries votes stands clear of the noise.",
      "Some features stand clear of the noise, others do not.",
      "No feature stands clear of the noise: this fleet is too small for this question at this epsilon.",
  };
  const auto v = static_cast<std::size_t>(p.verdict);
  Html out = markup(
      "<header>\n<p class=\"brand\">Sotto &middot; simulated fleet</p>\n<h1>{} devices voted; each answered in {} "
      "bit{}</h1>\n<p class=\"plainly\">{}</p>\n<p class=\"lead\"><span class=\"verdict {}\">{}</span> "
      "{}</p>\n</header>\n",
      grouped(p.fleet.users), facts.payload_bits, facts.payload_bits == 1 ? "" : "s", plain_words(p), k_class[v],
      verdict_text(p.verdict), k_words[v]);
  const auto card = [&out](std::string_view name, const std::string& value, const std::string& note) {
    out += markup("<div><dt>{}</dt><dd>{}<small>{}</small></dd></div>\n", name, value, note);
  };
  out += "<dl class=\"cards\">\n";
  card("Devices", grouped(p.run.estimate.used),
       fmt::format("reports used, {} refused", grouped(p.run.estimate.refused)));
  card("Features", grouped(p.fleet.features), fmt::format("{} of them carry the votes", p.fleet.heavy));
  card("Epsilon", nats_text(facts.declared), fmt::format("nats; delivered {}", nats_text(facts.delivered)));
  card("Report", fmt::format("{} bit{}", facts.payload_bits, facts.payload_bits == 1 ? "" : "s"),
       "of payload from each device");
  return out + "</dl>\n";
}

Html votes_section(const VotePage& p) {
  const std::vector<IntervalRow> rows = vote_rows(p.run);
  Html out =
      "<section>\n<h2>Votes</h2>\n<p>Share of devices, recovered from the randomized reports. An estimate is unbiased "
      "and may fall below zero. An interval holds for a feature named beforehand; the largest of many estimates run "
      "high.</p>\n" +
      interval_key(true);
  out += interval_chart(rows, "Estimated share of votes with 95 % intervals, and the truth",
                        "One row for each of the strongest features, and one for devices that voted for none. The "
                        "numbers are in the table below.");
  RowsTable table({"answer", "#estimate", "#95 % interval", "#truth"});
  for (const IntervalRow& r : rows) {
    table.row({escape(r.label), markup("{:.2f} %", 100 * r.estimate),
               markup("{:.2f} to {:.2f} %", 100 * r.low, 100 * r.high), markup("{:.2f} %", 100 * r.truth.value_or(0))});
  }
  return out + "<details><summary>The same as a table</summary>\n" + table.html("Votes") + "</details>\n</section>\n";
}

Html noise_section(const VotePage& p) {
  const double limit = detection_limit(p.run.estimate);
  std::size_t shown = 0;
  const Html chart = dot_chart(
      p.run.estimate.share, p.run.heavy, limit, "Estimated share of every feature",
      "Features that carry votes are large dots. The band is where the largest of all pure-noise estimates may lie.",
      shown);
  return markup(
             "<section>\n<h2>Every feature</h2>\n<p>Large dots carry votes, small dots carry none. The band reaches to "
             "{:.2f} %: the noise of "
             "{} features seldom leaves it, so what lies above it is a finding.{}</p>\n",
             100 * limit, grouped(p.fleet.features),
             shown < p.run.estimate.share.size() ? fmt::format(" Of the small dots {} are drawn.", grouped(shown))
                                                 : "") +
         chart + "</section>\n";
}

Html sent_section(const VotePage& p, const ChannelFacts& facts) {
  Html out = markup(
      "<section>\n<h2>This is all that left the device</h2>\n<p>Eight bytes of pseudonym, which name the device's "
      "public coins, and {} "
      "bit{} of randomized answer. The first devices of the fleet:</p>\n",
      facts.payload_bits, facts.payload_bits == 1 ? "" : "s");
  RowsTable table({"device", "stays on the device", "sent, in hex"});
  for (const SentVote& sent : p.run.examples) {
    table.row({markup("{}", sent.pseudonym), escape(answer_text(p, sent.answer)),
               markup("<code>{}</code>", hex(vote_report_bytes(p.run.spec, sent)))});
  }
  return out + table.html("Reports of the first devices") + "</section>\n";
}

Html privacy_section(const ChannelFacts& facts, const PrivacyStatement& statement) {
  Html out("<section>\n<h2>What one report tells about one device</h2>\n<ul class=\"plain\">\n");
  for (const std::string& sentence : statement.sentences) out += markup("<li>{}</li>\n", sentence);
  out += markup(
      "</ul>\n<table class=\"facts\">\n<tbody>\n<tr><th>randomizer</th><td><code>{}</code></td></tr>\n"
      "<tr><th>channel</th><td>M = {} outcomes, k = {} inside, T = {} of 2<sup>32</sup></td></tr>\n"
      "<tr><th>epsilon</th><td>declared {} nano-nats, delivered {}; delta 0</td></tr>\n"
      "<tr><th>digest</th><td><code>",
      facts.stem, facts.channel->outcomes, facts.channel->inside, grouped(facts.channel->threshold),
      grouped(facts.declared), grouped(facts.delivered));
  for (const std::uint8_t b : facts.digest) out += markup("{:02x}", b);
  return out + "</code></td></tr>\n</tbody></table>\n</section>\n";
}

Html measured_section(const VotePage& p) {
  struct Column {
    std::string_view name;
    double VoteMetrics::*value;
  };
  constexpr std::array k_columns = {Column{"squared error of the shares", &VoteMetrics::l2_squared_error},
                                    Column{"relative error", &VoteMetrics::relative_error},
                                    Column{"F1 of the features found", &VoteMetrics::f1},
                                    Column{"truth inside the 95 % interval", &VoteMetrics::coverage}};
  Html out = markup(
      "<section>\n<h2>Against the truth</h2>\n<p>{} repeat{}. Verdict: learned when the {} strongest estimates all "
      "exceed (&radic;(2 ln d) + 1.5) "
      "standard errors in every repeat, cannot learn when none ever does, else uncertain.</p>\n",
      p.repeats.size(), p.repeats.size() == 1 ? "" : "s", p.fleet.heavy);
  RowsTable table({"measure", "#mean", "#sd", "#median"});
  for (const Column& column : k_columns) {
    std::vector<double> values;
    for (const VoteMetrics& m : p.repeats) values.push_back(m.*column.value);
    const Summary s = summarize(values);
    table.row({escape(column.name), markup("{:.4g}", s.mean), p.repeats.size() > 1 ? markup("{:.2g}", s.sd) : Html(),
               p.repeats.size() > 1 ? markup("{:.4g}", s.median) : Html()});
  }
  table.row({Html("reports used"), escape(grouped(p.run.estimate.used)), {}, {}});
  table.row({Html("reports refused"), escape(grouped(p.run.estimate.refused)), {}, {}});
  return out + table.html("Against the truth") + "</section>\n";
}

}  // namespace

std::vector<IntervalRow> vote_rows(const VoteRun& run) {
  const VoteShares& e = run.estimate;
  const auto n = static_cast<double>(std::accumulate(run.truth.begin(), run.truth.end(), std::uint64_t{0}));
  const auto row = [&](std::string label, double share, double error, std::uint64_t votes) {
    return IntervalRow{std::move(label), share, share - k_interval_95 * error, share + k_interval_95 * error,
                       static_cast<double>(votes) / n};
  };
  std::vector<IntervalRow> rows;
  for (const std::uint32_t v : strongest(e, std::min<std::size_t>(run.heavy.size() + 4, k_rows_max))) {
    rows.push_back(row(fmt::format("feature {}", v), e.share[v], e.standard_error[v], run.truth[v]));
  }
  rows.push_back(row("none", e.none, e.none_standard_error, run.truth.back()));
  return rows;
}

std::string vote_page(const VotePage& p) {
  const AnySpec spec = p.run.spec;
  const ChannelFacts facts = facts_of(spec);
  Html body = head(p, facts) + votes_section(p) + noise_section(p) + sent_section(p, facts) +
              privacy_section(facts, state_privacy(spec)) + measured_section(p);
  body += markup(
      "<section>\n<h2>Make this page again</h2>\n<p>The same command gives the same numbers on every "
      "machine.</p>\n<pre>{}</pre>\n</section>\n"
      "<footer>Made by sotto {}. The devices are simulated; each one ran the device library.</footer>\n",
      p.command, p.version);
  return page(fmt::format("Sotto: {} simulated devices voted", grouped(p.fleet.users)), body);
}

}  // namespace sotto::analyzer::html
