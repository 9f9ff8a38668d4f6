// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/audit/event.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "statistic.hpp"

namespace sotto::analyzer::audit {

namespace {

constexpr std::size_t k_cuts = 200;  // tried for each statistic

/// The runs that teach, that choose and that measure. Split within each context, so that the contexts have the same
/// shares under both data sets.
struct Split {
  Runs taught, chosen, measured;
};

Split split(const Runs& runs) {
  Split out;
  for (const bool is_first : {true, false}) {
    const std::vector<Outcome>& from = is_first ? runs.first : runs.second;
    const auto side = [is_first](Runs& of) -> std::vector<Outcome>& { return is_first ? of.first : of.second; };
    std::map<std::string, std::size_t> seen;
    for (const Outcome& o : from) {
      const std::size_t turn = seen[o.context]++ % 4;
      side(turn == 0 ? out.taught : turn == 1 ? out.chosen : out.measured).push_back(o);
    }
  }
  return out;
}

/// The end of a Wilson interval of three standard deviations: cheap, and good enough to compare events.
double wilson(std::uint64_t hits, std::uint64_t runs, double sign) {
  constexpr double k_z = 3;
  const double n = static_cast<double>(runs), p = static_cast<double>(hits) / n;
  return (p + k_z * k_z / (2 * n) + sign * k_z * std::sqrt(p * (1 - p) / n + k_z * k_z / (4 * n * n))) /
         (1 + k_z * k_z / n);
}

double planned_bound(const EventCounts& counts, double delta) {
  const double low = wilson(counts.first, counts.runs, -1) - delta, high = wilson(counts.second, counts.runs, 1);
  return low > high ? std::log(low / high) : 0;
}

std::vector<double> scores_of(const Statistic& statistic, const std::vector<Outcome>& outcomes) {
  std::vector<double> out;
  out.reserve(outcomes.size());
  for (const Outcome& o : outcomes) out.push_back(statistic.score(o));
  std::sort(out.begin(), out.end());
  return out;
}

std::uint64_t from(const std::vector<double>& sorted, double cut) {
  return static_cast<std::uint64_t>(sorted.end() - std::lower_bound(sorted.begin(), sorted.end(), cut));
}

/// How often a score of at least the cut came, or with `below` one under it: then it is the second data set's event.
EventCounts counts_at(const std::vector<double>& first, const std::vector<double>& second, double cut, bool below) {
  const std::uint64_t runs = std::min(first.size(), second.size());
  if (below) return {second.size() - from(second, cut), first.size() - from(first, cut), runs};
  return {from(first, cut), from(second, cut), runs};
}

struct Choice {
  const Statistic* statistic = nullptr;
  double cut = 0;
  bool below = false;
  double planned = -1;
};

void choose(const Statistic& statistic, const Runs& runs, double delta, Choice& best) {
  const std::vector<double> first = scores_of(statistic, runs.first), second = scores_of(statistic, runs.second);
  std::vector<double> cuts = first;
  cuts.insert(cuts.end(), second.begin(), second.end());
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  const std::size_t step = std::max<std::size_t>(1, (cuts.size() - 1) / k_cuts);
  for (std::size_t i = 1; i < cuts.size(); i += step) {
    for (const bool below : {false, true}) {
      const double planned = planned_bound(counts_at(first, second, cuts[i], below), delta);
      if (planned > best.planned) best = {&statistic, cuts[i], below, planned};
    }
  }
}

MeasuredEvent measure(const Split& runs, const std::vector<Statistic>& statistics, double alpha, double delta) {
  Choice best;
  for (const Statistic& s : statistics) choose(s, runs.chosen, delta, best);
  MeasuredEvent out;
  out.counts.runs = runs.measured.first.size();
  if (best.statistic == nullptr) return out;
  out.name = best.statistic->name;
  out.counts = counts_at(scores_of(*best.statistic, runs.measured.first),
                         scores_of(*best.statistic, runs.measured.second), best.cut, best.below);
  out.lower_bound = epsilon_lower_bound(out.counts, alpha, delta);
  const auto share = [&](std::uint64_t hits) {
    return std::max(static_cast<double>(hits), 0.5) / static_cast<double>(out.counts.runs);
  };
  const double likely = share(out.counts.first) - delta, rare = share(out.counts.second);
  out.estimate = likely > rare ? std::log(likely / rare) : 0;
  return out;
}

}  // namespace

std::uint64_t measured_runs(const Runs& runs) { return split(runs).measured.first.size(); }

MeasuredEvent measure_reports(const Runs& runs, double alpha, double delta, bool numbers) {
  const Split parts = split(runs);
  return measure(parts, report_statistics(parts.taught, numbers), alpha, delta);
}

MeasuredEvent measure_times(const Runs& runs, double alpha, double delta) {
  const Split parts = split(runs);
  return measure(parts, time_statistics(parts.taught), alpha, delta);
}

}  // namespace sotto::analyzer::audit
