// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "bench.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "say.hpp"
#include "sotto/analyzer/aggregate/cross_polytope.hpp"
#include "sotto/analyzer/aggregate/vote.hpp"
#include "sotto/analyzer/aggregate/window.hpp"
#include "sotto/analyzer/simulate/fleet_entropy.hpp"
#include "sotto/randomize/cross_polytope.hpp"
#include "sotto/randomize/vote.hpp"
#include "sotto/randomize/window.hpp"
#include "stopwatch.hpp"
#include "talk.hpp"

// `sotto bench randomizers`: reports made and decoded per second, compared with memcpy.
namespace sotto::cli {
namespace {

using analyzer::CoinReport;

/// One randomizer: how fast this host makes its reports as a device does, and how fast one core decodes them.
struct RandomizerRow {
  std::string_view name, what;
  std::size_t bytes_per_report;  ///< as the decoder reads them: payload, and the pseudonym if public coins are used
  double encode, decode, copy;   ///< reports per second
};

constexpr Digest k_study_seed = {1, 2, 3};
constexpr std::uint16_t k_round = 1;

template <class Spec>
Certified<Spec> certified(Spec spec) {
  Certified<Spec> out;
  if (derive(spec) != Status::ok || certify(spec, k_epsilon_max, out) != Status::ok)
    throw std::logic_error("a bench spec was refused");
  return out;
}

/// memcpy of the same report bytes in the same run, the best of three distances between the two buffers: at some
/// distances modulo a page, stores wait for loads, and a copy is ten times slower.
template <class Report>
double copy_rate(const std::vector<Report>& reports, double seconds) {
  constexpr std::size_t k_page = 4096;
  const std::size_t bytes = reports.size() * sizeof(Report);
  std::vector<std::uint8_t> to(bytes + k_page);
  double best = 0;
  for (const std::size_t shift : {std::size_t{0}, k_page / 3, 2 * k_page / 3}) {
    best = std::max(best, rate_of(reports.size(), seconds / 3, [&] {
                      std::memcpy(to.data() + shift, reports.data(), bytes);
                      keep(to.data());
                    }));
  }
  return best;
}

RandomizerRow bench_vote(double seconds) {
  const auto spec = certified(VoteSpec{2 * k_epsilon_one, 1024, 0, 0, 0});
  std::vector<CoinReport> reports(1 << 16);
  analyzer::FleetEntropy entropy(1);
  PrivateCoins coins;
  const auto make = [&] {
    std::uint64_t pseudonym = 0;
    for (CoinReport& r : reports) {
      r.pseudonym = ++pseudonym;
      (void)coins.begin_report(entropy.source());
      (void)vote(spec, {k_study_seed.data(), r.pseudonym, k_round}, static_cast<std::uint32_t>(pseudonym % 1025), coins,
                 r.report);
    }
  };
  const double encode = rate_of(reports.size(), seconds, make);
  auto aggregate = analyzer::VoteAggregate::open(spec.spec()).value();
  const double decode = rate_of(reports.size(), seconds,
                                [&] { keep(&aggregate), aggregate.absorb(k_study_seed.data(), k_round, reports); });
  return {"vote", "d = 1024, b = 3, epsilon 2", sizeof(CoinReport), encode, decode, copy_rate(reports, seconds)};
}

RandomizerRow bench_direction(double seconds) {
  const auto spec = certified(CrossPolytopeSpec{4 * k_epsilon_one, 8, 256, 33, 0});
  std::vector<CoinReport> reports(1 << 12);
  std::vector<Q15> x(256, 2048);  // a unit vector: 256 * (2048/32768)^2 = 1
  std::vector<std::int32_t> scratch(256);
  analyzer::FleetEntropy entropy(2);
  PrivateCoins coins;
  const auto make = [&] {
    std::uint64_t pseudonym = 0;
    for (CoinReport& r : reports) {
      r.pseudonym = ++pseudonym;
      (void)coins.begin_report(entropy.source());
      (void)cross_polytope(spec, {k_study_seed.data(), r.pseudonym, k_round}, x, scratch, coins, r.report);
    }
  };
  const double encode = rate_of(reports.size(), seconds, make);
  auto aggregate = analyzer::CrossPolytopeAggregate::open(spec.spec()).value();
  const double decode = rate_of(reports.size(), seconds, [&] {
    for (const CoinReport& r : reports) aggregate.absorb({k_study_seed.data(), r.pseudonym, k_round}, r.report);
    keep(&aggregate);
  });
  return {"direction",
          "cross_polytope D = 256, k = 33, epsilon 4",
          sizeof(CoinReport),
          encode,
          decode,
          copy_rate(reports, seconds)};
}

RandomizerRow bench_window(double seconds) {
  const auto spec = certified(WindowSpec{4 * k_epsilon_one, 12, 3, 0});
  std::vector<std::uint32_t> reports(1 << 16);
  analyzer::FleetEntropy entropy(3);
  PrivateCoins coins;
  const auto make = [&] {
    std::int32_t x = -k_q15_one;
    for (std::uint32_t& r : reports) {
      (void)coins.begin_report(entropy.source());
      (void)window(spec, ++x, coins, r);
    }
  };
  const double encode = rate_of(reports.size(), seconds, make);
  auto aggregate = analyzer::WindowAggregate::open(spec.spec()).value();
  const double decode = rate_of(reports.size(), seconds, [&] { keep(&aggregate), aggregate.absorb(reports); });
  return {"window", "K = 12, w = 3, epsilon 4", sizeof(std::uint32_t), encode, decode, copy_rate(reports, seconds)};
}

}  // namespace

int bench_randomizers(const BenchOptions& options) {
  std::vector<RandomizerRow> rows;
  for (const auto bench : {bench_vote, bench_direction, bench_window}) rows.push_back(bench(options.seconds));
  if (options.json) {
    Json decode, encode;
    for (const RandomizerRow& r : rows) {
      decode[r.name] = {{"what", r.what},
                        {"reports_per_second", r.decode},
                        {"bytes_per_report", r.bytes_per_report},
                        {"memcpy_reports_per_second", r.copy},
                        {"memcpy_ratio", r.copy / r.decode}};
      encode[r.name] = {{"what", r.what}, {"reports_per_second", r.encode}};
    }
    print_json({{"bench", "randomizers"},
                {"threads", 1},
                {"seconds_per_number", options.seconds},
                {"decode", decode},
                {"encode", encode}});
    return done;
  }
  say("One core. A ratio of 10 means: decoding takes as long as copying the same bytes ten times.\n\n");
  say("{:<10} {:<42} {:>12} {:>12} {:>6} {:>12} {:>8}\n", "question", "", "encode 1/s", "decode 1/s", "bytes",
      "memcpy 1/s", "ratio");
  for (const RandomizerRow& r : rows) {
    say("{:<10} {:<42} {:>12.4g} {:>12.4g} {:>6} {:>12.4g} {:>8.1f}\n", r.name, r.what, r.encode, r.decode,
        r.bytes_per_report, r.copy, r.copy / r.decode);
  }
  return done;
}

}  // namespace sotto::cli
