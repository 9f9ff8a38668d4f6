// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <limits>
#include <memory>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include "bench.hpp"
#include "say.hpp"
#include "sotto/analyzer/aggregate/round_sink.hpp"
#include "sotto/analyzer/channel/epsilon.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/compile/compile.hpp"
#include "sotto/analyzer/compile/read_study.hpp"
#include "sotto/analyzer/ingest/batch.hpp"
#include "sotto/analyzer/protocol/frame/protocol.hpp"
#include "sotto/analyzer/simulate/fleet_entropy.hpp"
#include "sotto/analyzer/simulate/run_protocol.hpp"
#include "sotto/bytes.hpp"
#include "sotto/randomize/block.hpp"
#include "stopwatch.hpp"
#include "talk.hpp"

// `sotto bench ldp-iht`: decoding speed of a large item-level study.
namespace sotto::cli {
namespace {

using analyzer::Result;

struct BenchLdpIhtOptions {
  std::uint64_t users = 1'000'000;
  std::uint32_t dim = 200;
  double epsilon = 4, seconds = 0.5;
  bool json = false;
};

/// The first round of a study with sign features and one cohort, and the plain reports that a fleet sends to it.
struct Collected {
  analyzer::CompiledStudy compiled;
  std::vector<std::vector<std::uint8_t>> batches;
  std::vector<std::uint64_t> pseudonyms;
  std::size_t report_bytes = 0;
};

std::string study_of(const BenchLdpIhtOptions& o) {
  return fmt::format(
      "name = \"bench\"\n[privacy]\nepsilon = {:.9f}\n[study]\nsamples = 1\nauthenticated = false\n[protocol]\nkind = "
      "\"ldp-iht\"\nrounds = 1\nvalidation = 0\nfeatures_are = \"signs\"\nnoise = 0.03\ndevices = {}\nfeatures = {}\n",
      o.epsilon, o.users, o.dim);
}

/// Reports by the device's own randomizer and header. Their answers are arbitrary, as the cost does not depend on them.
Collected collect(const BenchLdpIhtOptions& o, const analyzer::Study& study) {
  Collected out;
  out.compiled = must(analyzer::compile_study(study, analyzer::repeatable_seed(1)));
  const Manifest manifest = must(analyzer::read_manifest(out.compiled.manifest, "the manifest"));
  const Round round = must(analyzer::read_round(out.compiled.round, "the round"));
  const auto spec = std::get<BlockSpec>(must(analyzer::round_spec(manifest, round)));
  Certified<BlockSpec> certified;
  if (certify(spec, k_epsilon_max, certified) != Status::ok) throw std::logic_error("the round's spec was refused");
  const Digest digest = manifest_digest(manifest);
  analyzer::FleetEntropy entropy(1);
  PrivateCoins coins;
  std::vector<std::uint8_t> report(report_bytes_of(payload_bytes_of(spec.width), false));
  const std::uint64_t per_batch = analyzer::devices_per_batch(o.users, report.size());
  for (std::uint64_t i = 0; i < o.users; ++i) {
    if (i % per_batch == 0) out.batches.emplace_back();
    const std::uint64_t pseudonym = (i + 1) * 0x9e3779b97f4a7c15u;
    std::uint32_t number = 0;
    (void)coins.begin_report(entropy.source());
    (void)block(certified, static_cast<std::uint32_t>(pseudonym >> 40), coins, number);
    encode_header({round.question, false, round.number, load_u32(digest.data()), pseudonym},
                  std::span<std::uint8_t, k_header_bytes>(report.data(), k_header_bytes));
    for (std::size_t b = k_header_bytes; b < report.size(); ++b, number >>= 8)
      report[b] = static_cast<std::uint8_t>(number);
    analyzer::append_report(out.batches.back(), report);
    out.pseudonyms.push_back(pseudonym);
  }
  out.report_bytes = report.size();
  return out;
}

/// Draws the public coins that decoding needs: the cohort of a device, and the coordinates of its block.
void draw_coins(const Collected& all, const Manifest& manifest, std::uint32_t dim, std::uint32_t width) {
  std::uint32_t held[k_block_width_max];
  for (const std::uint64_t pseudonym : all.pseudonyms) {
    const std::uint32_t cohort = cohort_of(manifest, pseudonym);
    block_coordinates({manifest.seed, pseudonym, 1}, dim, std::span(held, width));
    keep(&cohort);
    keep(held);
  }
}

/// Processor seconds of the fastest pass of each, measured in turns, so that a change of the machine's speed affects
/// both.
struct PassSeconds {
  double absorbing = std::numeric_limits<double>::infinity(), coins = absorbing;
};
PassSeconds measure(const BenchLdpIhtOptions& o, const Collected& all, std::uint32_t width) {
  const Manifest manifest = must(analyzer::read_manifest(all.compiled.manifest, "the manifest"));
  const auto sink = must(analyzer::SummingSink::open(all.compiled.manifest, {}));
  must(sink->open_round(all.compiled.round));
  PassSeconds fastest;
  const auto timed = [](double& best, const auto& pass) {
    const double began = processor_seconds();
    pass();
    const double seconds = processor_seconds() - began;
    best = std::min(best, seconds);
    return seconds;
  };
  double spent = 0;
  for (int sample = 0; sample < k_samples_min || spent < 2 * o.seconds; ++sample) {
    spent += timed(fastest.absorbing, [&] {
      for (std::size_t i = 0; i < all.batches.size(); ++i) must(sink->put_batch(i, all.batches[i]));
    });
    spent += timed(fastest.coins, [&] { draw_coins(all, manifest, o.dim, width); });
  }
  const std::uint64_t refused = sink->counts().total() - sink->counts()[analyzer::Reason::accepted];
  if (refused != 0) throw std::logic_error("a report of the bench was refused");
  return fastest;
}

int bench_ldp_iht(const BenchLdpIhtOptions& o) {
  const auto epsilon = analyzer::epsilon_from_nats(o.epsilon, "--epsilon");
  if (!epsilon) return refuse(epsilon.error(), o.json);
  const Result<analyzer::Study> study = analyzer::read_study(study_of(o), "study.toml");
  if (!study) return refuse(study.error(), o.json);
  const Collected all = collect(o, study.value());
  if (all.compiled.round.empty()) throw std::logic_error("no round was opened");
  const auto& spec = std::get<BlockSpec>(study.value().spec);
  const PassSeconds seconds = measure(o, all, spec.width);
  const double users = static_cast<double>(o.users), absorb = users / seconds.absorbing, coins = users / seconds.coins;
  if (o.json) {
    print_json({{"bench", "ldp-iht"},
                {"threads", 1},
                {"seconds_per_number", o.seconds},
                {"setting", {{"users", o.users}, {"dim", o.dim}, {"epsilon", o.epsilon}, {"block_width", spec.width}}},
                {"bytes_per_report", all.report_bytes},
                {"reports_per_second", absorb},
                {"coins_per_second", coins},
                {"coins_ratio", coins / absorb}});
    return done;
  }
  say("One core, processor time. {} devices, {} sign features, epsilon {:g}: blocks of {}, plain reports of {} "
      "bytes.\n\n"
      "{:<58}{:>12.4g} a second\n{:<58}{:>12.4g} a second\n\nDecoding and adding up takes {:.2f} times as long as "
      "drawing "
      "the coins.\n",
      o.users, o.dim, o.epsilon, spec.width, all.report_bytes, "reports read, checked, added to the sums", absorb,
      "public coins of as many reports (cohort, coordinates)", coins, coins / absorb);
  return done;
}

}  // namespace

void add_bench_ldp_iht(CLI::App& bench, Action& action) {
  auto o = std::make_shared<BenchLdpIhtOptions>();
  CLI::App* verb = bench.add_subcommand(
      "ldp-iht", "decoding of a large item-level study, compared with drawing its public coins alone");
  verb->add_option("--users", o->users, "devices that report")
      ->check(CLI::Range(1000u, 100'000'000u))
      ->capture_default_str();
  verb->add_option("--dim", o->dim, "features")->check(CLI::Range(2u, 65535u))->capture_default_str();
  verb->add_option("--epsilon", o->epsilon, "privacy of one report, in nats")->capture_default_str();
  verb->add_option("--seconds", o->seconds, "measuring time for each number")
      ->check(CLI::Range(0.001, 600.0))
      ->capture_default_str();
  verb->add_flag("--json", o->json, "one JSON object on stdout");
  verb->callback([o, &action] { action = [o] { return bench_ldp_iht(*o); }; });
}

}  // namespace sotto::cli
