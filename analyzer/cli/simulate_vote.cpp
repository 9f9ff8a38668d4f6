// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "files.hpp"
#include "interval_bars.hpp"
#include "privacy_text.hpp"
#include "say.hpp"
#include "simulate.hpp"
#include "simulate_cost.hpp"
#include "sotto/analyzer/channel/epsilon.hpp"
#include "sotto/analyzer/simulate/summary.hpp"
#include "sotto/analyzer/simulate/vote_metrics.hpp"
#include "sotto/analyzer/simulate/vote_page.hpp"
#include "talk.hpp"

// `sotto simulate` of a vote.
namespace sotto::cli {
namespace {

using analyzer::Error;
using analyzer::VoteMetrics;
using analyzer::html::VotePage;

struct SimulateVoteOptions {
  analyzer::VoteFleet fleet;
  std::uint32_t repeat = 1;
  std::string out;
  bool json = false;
};

std::string command_of(const SimulateVoteOptions& o) {
  return fmt::format(
      "sotto simulate --protocol vote --users {} --dim {} --epsilon {} --heavy {} --empty {} --seed {} --repeat {} "
      "--out DIR",
      o.fleet.users, o.fleet.features, analyzer::nats_text(o.fleet.epsilon), o.fleet.heavy, o.fleet.empty, o.fleet.seed,
      o.repeat);
}

Json summary_json(const std::vector<VoteMetrics>& repeats, double VoteMetrics::*value) {
  std::vector<double> values;
  for (const VoteMetrics& m : repeats) values.push_back(m.*value);
  const analyzer::Summary s = analyzer::summarize(values);
  return {{"mean", s.mean}, {"sd", s.sd}, {"median", s.median}};
}

Json result_json(const SimulateVoteOptions& o, const VotePage& page, double seconds) {
  const analyzer::AnySpec spec = page.run.spec;
  const analyzer::ChannelFacts facts = analyzer::facts_of(spec);
  const std::uint64_t reports = o.fleet.users * o.repeat;
  Json rows = Json::array();
  for (const auto& row : analyzer::html::vote_rows(page.run)) {
    rows.push_back({{"answer", row.label},
                    {"share", row.estimate},
                    {"low", row.low},
                    {"high", row.high},
                    {"truth", row.truth.value_or(0)}});
  }
  return {{"protocol", "vote"},
          {"verdict", analyzer::verdict_text(page.verdict)},
          {"metrics",
           {{"l2_squared_error", summary_json(page.repeats, &VoteMetrics::l2_squared_error)},
            {"relative_error", summary_json(page.repeats, &VoteMetrics::relative_error)},
            {"f1", summary_json(page.repeats, &VoteMetrics::f1)},
            {"coverage", summary_json(page.repeats, &VoteMetrics::coverage)}}},
          {"reports",
           {{"count", reports},
            {"used", page.run.estimate.used},
            {"refused", page.run.estimate.refused},
            {"payload_bits", facts.payload_bits},
            {"bytes_per_report", analyzer::vote_report_bytes(page.run.spec, page.run.examples.front()).size()}}},
          {"privacy", privacy_json(facts, analyzer::state_privacy(spec))},
          {"channel", channel_json(facts)},
          {"estimates", rows},
          {"detection_limit", analyzer::detection_limit(page.run.estimate)},
          {"fleet",
           {{"users", o.fleet.users},
            {"dim", o.fleet.features},
            {"heavy", o.fleet.heavy},
            {"empty", o.fleet.empty},
            {"seed", o.fleet.seed},
            {"repeat", o.repeat}}},
          {"command", page.command},
          {"timing",
           {{"seconds", seconds},
            {"reports_per_second", static_cast<double>(reports) / seconds},
            {"threads", o.fleet.threads}}}};
}

void print_result(const SimulateVoteOptions& o, const VotePage& page, double seconds) {
  const analyzer::AnySpec spec = page.run.spec;
  const analyzer::ChannelFacts facts = analyzer::facts_of(spec);
  say("{} devices voted on {} features in {:.2f} s; {} carry the votes.\n\n", o.fleet.users, o.fleet.features, seconds,
      o.fleet.heavy);
  say_lines(interval_bars(analyzer::html::vote_rows(page.run), locale_is_utf8()) + "\n");
  say("An interval holds for a feature named beforehand; the largest of many estimates run high.\n\n");
  const Json f1 = summary_json(page.repeats, &VoteMetrics::f1),
             inside = summary_json(page.repeats, &VoteMetrics::coverage);
  say("verdict     {} (a share counts as found above {:.2f} %)\n", analyzer::verdict_text(page.verdict),
      100 * analyzer::detection_limit(page.run.estimate));
  say("against     F1 {:.3f}, {:.1f} % of the 95 % intervals hold the truth, {} repeat{}\n", f1["mean"].get<double>(),
      100 * inside["mean"].get<double>(), o.repeat, o.repeat == 1 ? "" : "s");
  say("reports     {} used, {} refused\n", page.run.estimate.used, page.run.estimate.refused);
  print_privacy(facts, analyzer::state_privacy(spec));
}

int write_out(const SimulateVoteOptions& o, const VotePage& page, const Json& json) {
  const std::filesystem::path directory(o.out);
  if (const auto made = make_directory(directory); !made) return refuse(made.error(), o.json, input_output);
  const auto lock = DirectoryLock::take(directory);
  if (!lock) return refuse(lock.error(), o.json, lock.error().code.starts_with("io.") ? input_output : refused);
  if (const auto free = may_write_run(directory, false); !free) return refuse(free.error(), o.json);
  const auto written = write_with_page(directory / "result.json", json_text(json), directory / "report.html",
                                       analyzer::html::vote_page(page));
  return written ? int{done} : refuse(written.error(), o.json, input_output);
}

}  // namespace

int simulate_vote(const SimulateCommand& options) {
  const auto epsilon = analyzer::epsilon_from_nats(options.epsilon, "--epsilon");
  if (!epsilon) return refuse(epsilon.error(), options.json);
  if (!options.out.empty()) {
    if (const auto free = may_write_run(options.out, false); !free) return refuse(free.error(), options.json);
  }
  SimulateVoteOptions o{{}, options.repeat, options.out, options.json};
  o.fleet.users = options.users;
  o.fleet.features = options.dim;
  o.fleet.epsilon = epsilon.value();
  o.fleet.heavy = options.heavy.value_or(std::min(8u, options.dim));
  o.fleet.empty = options.empty;
  o.fleet.seed = options.seed;
  o.fleet.threads = options.threads;

  if (const auto fits = announce_cost(options, static_cast<double>(options.users), options.repeat); !fits)
    return refuse(fits.error(), o.json);
  VotePage page{o.fleet, {}, {}, {}, command_of(o), SOTTO_VERSION};
  std::vector<analyzer::Verdict> verdicts;
  double seconds = 0;
  Progress progress("voting", o.fleet.users * o.repeat, o.json);
  for (std::uint32_t r = 0; r < o.repeat; ++r) {
    analyzer::VoteFleet fleet = o.fleet;
    fleet.seed = repeat_seed(o.fleet.seed, r);
    auto run = analyzer::run_vote_fleet(fleet, [&](std::uint64_t n) { progress.at(r * o.fleet.users + n); });
    if (!run) return refuse(run.error(), o.json);
    seconds += run.value().seconds;
    page.repeats.push_back(analyzer::measure(run.value()));
    verdicts.push_back(page.repeats.back().verdict);
    if (r == 0) page.run = std::move(run).value();
  }
  page.verdict = analyzer::judge_all(verdicts);

  progress.finish();
  const Json json = result_json(o, page, seconds);
  if (!o.out.empty()) {  // before anything is said: a refusal is then all that is
    if (const int code = write_out(o, page, json); code != done) return code;
  }
  if (o.json) {
    print_json(json);
    return done;
  }
  print_result(o, page, seconds);
  if (!o.out.empty()) {
    const std::filesystem::path directory(o.out);
    say("\npage        {}\nnumbers     {}\n", (directory / "report.html").string(),
        (directory / "result.json").string());
  }
  return done;
}

}  // namespace sotto::cli
