// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "estimate.hpp"
#include "interval_bars.hpp"
#include "master_key.hpp"
#include "model_text.hpp"
#include "privacy_text.hpp"
#include "say.hpp"
#include "sotto/analyzer/aggregate/vote.hpp"
#include "sotto/analyzer/channel/describe.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/collect/vote_model.hpp"
#include "sotto/analyzer/ingest/collector.hpp"
#include "sotto/analyzer/math/normal.hpp"
#include "study_directory.hpp"
#include "talk.hpp"

// `sotto estimate` of a study of one vote: estimates the share of every feature.
namespace sotto::cli {
namespace {

using analyzer::Collector;
using analyzer::Error;
using analyzer::Result;
using analyzer::html::IntervalRow;

constexpr std::size_t k_rows_shown = 24;

/// The estimate of a round of votes.
struct Estimate {
  analyzer::AnySpec spec;
  analyzer::VoteShares shares;
  std::vector<std::string> names;
  double detection_limit = 0;
};

Result<std::unique_ptr<Collector>> open_collector(const StudyDirectory& directory) {
  const Result<std::optional<HeldKey>> master = load_master_key(directory.path);
  if (!master) return master.error();
  std::optional<MasterKey> key;
  if (master.value()) key = master.value()->get();
  Result<std::unique_ptr<Collector>> collector =
      Collector::open(directory.manifest, key, std::make_unique<analyzer::MemoryIndex>());
  if (key) analyzer::wipe_secret(*key);
  if (!collector) return collector;
  if (collector.value()->manifest().authenticated && !master.value()) {
    return no_master_key(directory);
  }
  for (const Bytes& round : directory.rounds) {
    if (const auto opened = collector.value()->open_round(round); !opened) return opened.error();
  }
  return collector;
}

Result<Estimate> close_vote(const Collector& collector, std::uint16_t round, const StudyDirectory& directory) {
  const std::optional<analyzer::AnySpec> spec = collector.spec(round);
  if (!spec) {
    return Error{"estimate.no_round", "the directory has no such round", fmt::format("{}", round),
                 "name a round that was compiled"};
  }
  const auto* vote = std::get_if<VoteSpec>(&*spec);
  if (vote == nullptr) {
    return Error{"estimate.not_a_vote", "only votes are estimated without a protocol",
                 std::string(analyzer::facts_of(*spec).stem), "write a [protocol] in the study for other questions"};
  }
  Result<analyzer::VoteAggregate> aggregate = analyzer::VoteAggregate::open(*vote);
  if (!aggregate) return aggregate.error();
  std::vector<analyzer::CoinReport> reports;
  collector.each(round, [&](const analyzer::Reading& r) { reports.push_back({r.pseudonym, r.number}); });
  const std::uint32_t minimum = directory.study ? directory.study->terms.minimum : analyzer::StudyTerms{}.minimum;
  if (reports.size() < minimum) {
    return Error{"estimate.too_few", fmt::format("a round with fewer than {} reports gives no estimate", minimum),
                 fmt::format("{} used", reports.size()), "collect more; study.minimum sets the number"};
  }
  aggregate.value().absorb(collector.manifest().seed, round, reports);
  Estimate estimate{*spec, aggregate.value().close(), {}, 0};
  estimate.detection_limit = analyzer::detection_limit(estimate.shares);
  if (directory.study) estimate.names = directory.study->features;
  return estimate;
}

IntervalRow row(std::string label, double share, double error) {
  return {
      std::move(label), share, share - analyzer::k_interval_95 * error, share + analyzer::k_interval_95 * error, {}};
}

std::vector<IntervalRow> rows_of(const Estimate& e, std::size_t most) {
  std::vector<IntervalRow> rows;
  for (const std::uint32_t v : analyzer::strongest(e.shares, most)) {
    rows.push_back(row(v < e.names.size() ? e.names[v] : fmt::format("feature {}", v), e.shares.share[v],
                       e.shares.standard_error[v]));
  }
  rows.push_back(row("none", e.shares.none, e.shares.none_standard_error));
  return rows;
}

/// Devices of a study that computes answers have none without samples, and pay for saying so. Empty: nothing to warn of.
std::string all_none_text(const Estimate& e, const StudyDirectory& directory) {
  constexpr double k_nearly_all = 0.5;  // surely more than half say none, and nothing else stands out
  const bool is_computed = directory.study && !directory.study->regression && directory.study->kind == "vote" &&
                           directory.study->recipe.recipe != Recipe::given;
  const bool is_any_found =
      std::ranges::any_of(e.shares.share, [&](double share) { return share >= e.detection_limit; });
  if (!is_computed || is_any_found ||
      e.shares.none - analyzer::k_interval_95 * e.shares.none_standard_error < k_nearly_all)
    return {};
  return "nearly all devices said none. This study lets devices compute their answer from samples: a device that has "
         "none, or that was handed the number of a feature, spends epsilon on saying none. Write selector = \"given\" "
         "in [question] for devices that know their answer";
}

Json estimate_json(const Estimate& e) {
  Json rows = Json::array();
  const std::vector<IntervalRow> all = rows_of(e, e.shares.share.size());
  for (const IntervalRow& r : all) {
    rows.push_back({{"answer", r.label},
                    {"share", r.estimate},
                    {"standard_error", (r.high - r.low) / (2 * analyzer::k_interval_95)},
                    {"low", r.low},
                    {"high", r.high},
                    {"found", &r != &all.back() && r.estimate >= e.detection_limit}});
  }
  return rows;
}

void print_estimate(const Estimate& e, const Collector& collector) {
  const std::vector<IntervalRow> rows = rows_of(e, std::min(e.shares.share.size(), k_rows_shown));
  say_lines(interval_bars(rows, locale_is_utf8()) + "\n");
  say("An interval holds for a feature named beforehand; the largest of many estimates run high.\n\n");
  const auto found = std::ranges::count_if(e.shares.share, [&](double s) { return s >= e.detection_limit; });
  say("found       {} feature{} above {:.2f} %, where noise alone hardly reaches\n", found, found == 1 ? "" : "s",
      100 * e.detection_limit);
  say_lines(counts_text(collector.counts()));
}

/// The same estimate as a model, written into the directory of the study: what sotto serve makes of the same reports.
Result<analyzer::Done> publish(const Estimate& e, const Collector& collector, std::uint16_t round,
                               const StudyDirectory& directory) {
  if (!directory.study) {
    return Error{"estimate.no_study", "the directory has no study.toml that says what was asked",
                 directory.path.string(), "restore the file that the study was compiled from"};
  }
  const std::string command =
      fmt::format("{}{}", vote_command(directory.path), round == 1 ? "" : fmt::format(" --round {}", round));
  for (const Bytes& bytes : directory.rounds) {
    const Result<Round> read = analyzer::read_round(bytes, "the round");
    if (!read) return read.error();
    if (read.value().number != round) continue;
    const Result<analyzer::Model> model =
        analyzer::vote_model({*directory.study, collector.manifest(), bytes, e.shares, collector.counts(), command});
    if (!model) return model.error();
    return write_model(directory.path, model.value());
  }
  return analyzer::Done{};  // close_vote() has refused it
}

}  // namespace

std::string vote_command(const std::filesystem::path& directory) {
  return fmt::format("sotto estimate {} REPORTS --close", directory.string());
}

int estimate_vote(const EstimateOptions& o, const StudyDirectory& directory) {
  const auto stop = [&o](const Error& error) {
    return refuse(error, o.json, error.code.starts_with("io.") ? input_output : refused);
  };
  Result<std::unique_ptr<Collector>> opened = open_collector(directory);
  if (!opened) return stop(opened.error());
  Collector& collector = *opened.value();
  const Result<std::vector<Bytes>> batches = read_batches(o.files, manifest_digest(collector.manifest()));
  if (!batches) return stop(batches.error());
  for (const Bytes& batch : batches.value()) collector.absorb_batch(batch);
  const std::uint16_t round = o.round.value_or(1);
  const Result<Estimate> made = close_vote(collector, round, directory);
  if (!made) {
    // The reasons of refused reports are what helps when there is no estimate.
    if (!o.json) complain(counts_text(collector.counts()));
    return refuse(made.error(), o.json, refused, {{"reports", counts_json(collector.counts())}});
  }
  const Estimate& e = made.value();
  if (o.close) {
    if (const auto written = publish(e, collector, round, directory); !written) return stop(written.error());
  }
  const analyzer::ChannelFacts facts = analyzer::facts_of(e.spec);
  const Manifest& manifest = collector.manifest();
  const analyzer::PrivacyStatement statement =
      analyzer::state_privacy(e.spec, manifest.authenticated, manifest.answers);
  const std::string all_none = all_none_text(e, directory);
  if (o.json) {
    Json privacy = privacy_json(facts, statement);
    privacy["coins"] = manifest.authenticated ? "issued" : "chosen by the sender";
    Json warnings = Json::array();
    if (!all_none.empty()) warnings.push_back(all_none);
    print_json({{"study", directory.study ? directory.study->name : ""},
                {"study_digest", analyzer::hex_text(collector.digest())},
                {"round", round},
                {"reports", counts_json(collector.counts())},
                {"estimates", estimate_json(e)},
                {"detection_limit", e.detection_limit},
                {"warnings", warnings},
                {"privacy", privacy},
                {"channel", channel_json(facts)}});
    return done;
  }
  print_estimate(e, collector);
  if (!all_none.empty()) complain("sotto: warning: " + all_none + "\n");
  print_privacy(facts, statement);
  if (o.close) say("page        {}\n", (directory.path / "report.html").string());
  return done;
}

}  // namespace sotto::cli
