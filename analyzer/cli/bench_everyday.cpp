// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <thread>

#include <fmt/format.h>

#include "bench.hpp"
#include "everyday_baselines.hpp"
#include "say.hpp"
#include "simulate.hpp"
#include "sotto/analyzer/channel/epsilon.hpp"
#include "sotto/analyzer/compile/read_study.hpp"
#include "sotto/analyzer/simulate/everyday_world.hpp"
#include "sotto/analyzer/simulate/regression_run.hpp"
#include "sotto/analyzer/simulate/summary.hpp"
#include "talk.hpp"

// `sotto bench everyday`: everyday questions through the device library, beside published ways to ask the same of the
// same devices at the same epsilon.
namespace sotto::cli {
namespace {

using analyzer::Everyday;
using analyzer::EverydayOptions;
using analyzer::EverydayWorld;
using analyzer::Xoshiro;

constexpr std::uint64_t k_baseline_stream = 0x62617365;
constexpr std::size_t k_listed = 10;  // items that PEM names

struct BenchEverydayOptions {
  std::vector<double> epsilons{1, 2, 4};
  std::uint64_t users = 20000, seed = 1;
  std::uint32_t repeat = 10, threads = 1;
  bool json = false;
};

/// The same question, as another method answers it from the devices' own values.
using Baseline = std::function<Everyday(const EverydayWorld&, const EverydayOptions&, const Everyday& ours, Xoshiro&)>;

struct Row {
  std::string question, against;
  std::vector<std::string> metrics;
  std::function<void(EverydayOptions&)> set;
  Baseline baseline;
};

Everyday by_olh(const EverydayWorld& world, const EverydayOptions& o, bool consistent, Xoshiro& random) {
  std::vector<std::uint32_t> values;
  analyzer::DeviceRows rows;
  for (std::uint64_t d = 0; d < world.devices(); ++d) {
    world.read(d, rows);
    values.push_back(rows.given);
  }
  std::vector<double> shares = olh_shares(values, o.categories, o.epsilon, random);
  if (consistent) shares = norm_sub(std::move(shares));
  Everyday out;
  for (std::uint32_t i = 0; i < o.categories; ++i)
    out.cells.push_back({fmt::format("category {}", i + 1), 0, 0, shares[i], shares[i], shares[i]});
  return out;
}

/// Over the range that the study states: the square wave knows no other.
Everyday by_wave(const EverydayWorld& world, const EverydayOptions& o, const Everyday& ours, Xoshiro& random) {
  const auto study = must(analyzer::read_study(world.study(), "the study"));
  const analyzer::NumberTerms& terms = study.regression->everyday->number;
  const double low = terms.low, width = static_cast<double>(terms.high) - low;
  std::vector<double> places;
  analyzer::DeviceRows rows;
  for (std::uint64_t d = 0; d < world.devices(); ++d) {
    world.read(d, rows);
    places.push_back(std::clamp((rows.readings.front() - low) / width, 0.0, 1.0));
  }
  const std::vector<double> f = square_wave(places, o.epsilon, random);
  const auto bins = static_cast<double>(f.size());
  double mean = 0, square = 0;
  for (std::size_t i = 0; i < f.size(); ++i) {
    const double x = (static_cast<double>(i) + 0.5) / bins;
    mean += f[i] * x;
    square += f[i] * x * x;
  }
  const auto share_below = [&](double value) {
    const double at = std::clamp((value - low) / width, 0.0, 1.0) * bins;
    const auto whole = static_cast<std::size_t>(at);
    const double sum = std::accumulate(f.begin(), f.begin() + static_cast<std::ptrdiff_t>(whole), 0.0);
    return whole < f.size() ? sum + f[whole] * (at - static_cast<double>(whole)) : 1;
  };
  const auto place_of = [&](double share) {
    for (std::size_t i = 0; i < f.size(); ++i) {
      if (share <= f[i]) return low + width * (static_cast<double>(i) + (f[i] > 0 ? share / f[i] : 0)) / bins;
      share -= f[i];
    }
    return low + width;
  };
  Everyday out;
  const auto add = [&](std::string name, double value) {
    out.estimates.push_back({std::move(name), "", value, value, value});
  };
  add("mean", low + width * mean);
  add("standard deviation", width * std::sqrt(std::max(0.0, square - mean * mean)));
  for (const double q : terms.quantiles) add(fmt::format("p{:g}", 100 * q), place_of(q));
  double before = 0;  // over the bins that our distribution has
  for (const analyzer::EverydayCell& cell : ours.cells) {
    const double until = &cell == &ours.cells.back() ? 1 : share_below(cell.until);
    out.cells.push_back({"", cell.from, cell.until, until - before, 0, 0});
    before = until;
  }
  return out;
}

Everyday by_prefixes(const EverydayWorld& world, const EverydayOptions& o, Xoshiro& random) {
  std::vector<std::uint64_t> ids;
  analyzer::DeviceRows rows;
  for (std::uint64_t d = 0; d < world.devices(); ++d) {
    world.read(d, rows);
    std::uint64_t id = 0;
    for (std::size_t i = rows.item.size(); i-- > 0;) id = id << 8 | rows.item[i];
    ids.push_back(id);
  }
  Everyday out;
  for (const auto& [id, share] : prefix_extending(ids, k_listed, o.epsilon, random))
    out.items.push_back({fmt::format("0x{:016x}", id), share, share, share, 1});
  return out;
}

/// Ma et al.'s tree with the same devices, through the device library too.
Everyday by_papers_tree(EverydayOptions o) {
  o.paper = true;
  const auto world = must(analyzer::everyday_world(o));
  analyzer::RegressionRunOptions how;
  how.seed = o.seed;
  return must(analyzer::run_regression(must(analyzer::read_study(world->study(), "the study")), *world, how))
      .model.everyday;
}

std::vector<Row> rows_of_table() {
  const auto number = [](const char* law, double range, bool asks_quantiles = false) {
    return [law, range, asks_quantiles](EverydayOptions& o) {
      o.kind = "number";
      o.law = law;
      o.range_sd = range;
      o.tight = range < 10;
      if (asks_quantiles) o.quantiles = {0.5, 0.9};
    };
  };
  const std::vector<std::string> of_numbers = {"mean_error", "sd_error", "histogram_l1"};
  const std::vector<std::string> of_quantiles = {"rank_error_p50", "rank_error_p90"};
  const Baseline wave = [](const EverydayWorld& w, const EverydayOptions& o, const Everyday& ours, Xoshiro& r) {
    return by_wave(w, o, ours, r);
  };
  const auto olh = [](bool consistent) -> Baseline {
    return [consistent](const EverydayWorld& w, const EverydayOptions& o, const Everyday&, Xoshiro& r) {
      return by_olh(w, o, consistent, r);
    };
  };
  const auto categories = [](EverydayOptions& o) {
    o.kind = "category";
    o.categories = 64;
  };
  return {
      {"number, normal in 6 sd", "SW", of_numbers, number("normal", 6), wave},
      {"number, two modes in 6 sd", "SW", of_numbers, number("two-modes", 6), wave},
      {"quantiles, two modes in 6 sd", "SW", of_quantiles, number("two-modes", 6, true), wave},
      {"number, lognormal in 50 sd", "SW", of_numbers, number("lognormal", 50), wave},
      {"quantiles, lognormal in 50 sd", "SW", of_quantiles, number("lognormal", 50, true), wave},
      {"category, 64 of Zipf 1.3", "OLH", {"share_error"}, categories, olh(false)},
      {"category, 64 of Zipf 1.3", "OLH, norm-sub", {"share_error"}, categories, olh(true)},
      {"top, ids of Zipf 1.3",
       "PEM",
       {"recall_top10", "false_share"},
       [](EverydayOptions& o) { o.kind = "top"; },
       [](const EverydayWorld& w, const EverydayOptions& o, const Everyday&, Xoshiro& r) {
         return by_prefixes(w, o, r);
       }},
      {"top, ids of Zipf 1.3",
       "Ma et al.",
       {"recall_top10", "false_share"},
       [](EverydayOptions& o) { o.kind = "top"; },
       [](const EverydayWorld&, const EverydayOptions& o, const Everyday&, Xoshiro&) { return by_papers_tree(o); }},
  };
}

struct Pair {
  std::vector<double> ours, theirs;
};

std::map<std::string, Pair> measure(const BenchEverydayOptions& o, const Row& row, double epsilon) {
  std::map<std::string, Pair> out;
  for (std::uint32_t r = 0; r < o.repeat; ++r) {
    EverydayOptions options{.kind = "", .devices = o.users, .epsilon = epsilon, .seed = repeat_seed(o.seed, r)};
    row.set(options);
    const auto world = must(analyzer::everyday_world(options));
    analyzer::RegressionRunOptions how;
    how.seed = options.seed;
    how.threads = o.threads;
    const auto run =
        must(analyzer::run_regression(must(analyzer::read_study(world->study(), "the study")), *world, how));
    const Everyday& ours = run.model.everyday;
    Xoshiro random(options.seed, k_baseline_stream);
    const Everyday theirs = row.baseline(*world, options, ours, random);
    for (const auto& [name, value] : world->measure(ours)) out[name].ours.push_back(value);
    for (const auto& [name, value] : world->measure(theirs)) out[name].theirs.push_back(value);
  }
  return out;
}

Json summary_json(const std::vector<double>& values) {
  if (values.empty()) return nullptr;  // nothing could be learned
  const analyzer::Summary s = analyzer::summarize(values);
  return {{"mean", s.mean}, {"sd", s.sd}, {"median", s.median}};
}

std::string summary_text(const std::vector<double>& values) {
  if (values.empty()) return "cannot learn";
  const analyzer::Summary s = analyzer::summarize(values);
  return fmt::format("{:.4f} ({:.4f})", s.mean, s.sd);
}

int bench_everyday(const BenchEverydayOptions& o) {
  for (const double epsilon : o.epsilons) {
    if (const auto good = analyzer::epsilon_from_nats(epsilon, "--epsilon"); !good)
      return refuse(good.error(), o.json, refused);
  }
  Json rows = Json::array();
  const std::vector<Row> table = rows_of_table();
  Progress progress("measuring", table.size() * o.epsilons.size(), o.json);
  std::uint64_t done_rows = 0;
  if (!o.json)
    say("{} devices, {} fleets: mean (sd)\n{:<30}{:>8}  {:<16}{:>20}{:>20}  {}\n", o.users, o.repeat, "question",
        "epsilon", "measure", "Sotto", "other", "way");
  for (const Row& row : table) {
    for (const double epsilon : o.epsilons) {
      const std::map<std::string, Pair> measured = measure(o, row, epsilon);
      progress.at(++done_rows);
      for (const std::string& metric : row.metrics) {
        const auto at = measured.find(metric);
        if (at == measured.end()) continue;
        if (!o.json)
          say("{:<30}{:>8g}  {:<16}{:>20}{:>20}  {}\n", row.question, epsilon, metric, summary_text(at->second.ours),
              summary_text(at->second.theirs), row.against);
        rows.push_back({{"question", row.question},
                        {"epsilon", epsilon},
                        {"measure", metric},
                        {"sotto", at->second.ours.empty() ? Json() : summary_json(at->second.ours)},
                        {"other", at->second.theirs.empty() ? Json() : summary_json(at->second.theirs)},
                        {"way", row.against}});
      }
    }
  }
  progress.finish();
  if (o.json)
    print_json({{"bench", "everyday"}, {"users", o.users}, {"repeat", o.repeat}, {"seed", o.seed}, {"rows", rows}});
  return done;
}

}  // namespace

void add_bench_everyday(CLI::App& bench, Action& action) {
  auto o = std::make_shared<BenchEverydayOptions>();
  o->threads = std::max(1u, std::thread::hardware_concurrency());
  CLI::App* table = bench.add_subcommand(
      "everyday",
      "errors of everyday questions, beside OLH, the square wave (SW), prefix extending (PEM) and Ma et al.'s tree");
  table->add_option("--users", o->users, "devices")->check(CLI::Range(100u, 10'000'000u))->capture_default_str();
  table->add_option("--epsilon", o->epsilons, "privacy of one report")->delimiter(',')->capture_default_str();
  table->add_option("--repeat", o->repeat, "fleets")->check(CLI::Range(1u, 10000u))->capture_default_str();
  table->add_option("--seed", o->seed)->capture_default_str();
  table->add_flag("--json", o->json, "one JSON object on stdout");
  table->callback([o, &action] { action = [o] { return bench_everyday(*o); }; });
}

}  // namespace sotto::cli
