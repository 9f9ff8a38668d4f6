// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/simulate/vote_metrics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace sotto::analyzer {

Verdict judge(const VoteShares& shares, std::size_t heavy) {
  const double limit = detection_limit(shares);
  const std::vector<std::uint32_t> top = strongest(shares, heavy);
  const auto passed = static_cast<std::size_t>(
      std::count_if(top.begin(), top.end(), [&](std::uint32_t v) { return shares.share[v] >= limit; }));
  if (passed == top.size()) return Verdict::learned;
  return passed == 0 ? Verdict::cannot_learn : Verdict::uncertain;
}

VoteMetrics measure(const VoteRun& run) {
  const VoteShares& e = run.estimate;
  const auto n = static_cast<double>(std::accumulate(run.truth.begin(), run.truth.end(), std::uint64_t{0}));
  VoteMetrics m;
  double length = 0, covered = 0;
  const auto compare = [&](double share, double error, std::uint64_t votes) {
    const double truth = static_cast<double>(votes) / n;
    m.l2_squared_error += (share - truth) * (share - truth);
    length += truth * truth;
    covered += std::abs(share - truth) <= k_interval_95 * error;
  };
  for (std::size_t v = 0; v < e.share.size(); ++v) compare(e.share[v], e.standard_error[v], run.truth[v]);
  compare(e.none, e.none_standard_error, run.truth.back());
  m.relative_error = std::sqrt(m.l2_squared_error / length);
  m.coverage = covered / static_cast<double>(run.truth.size());
  // As many features are guessed as there are, so precision, recall and F1 are the same number.
  const std::set<std::uint32_t> carries(run.heavy.begin(), run.heavy.end());
  const std::vector<std::uint32_t> guess = strongest(e, run.heavy.size());
  const auto hits = std::count_if(guess.begin(), guess.end(), [&](std::uint32_t v) { return carries.contains(v); });
  m.f1 = static_cast<double>(hits) / static_cast<double>(run.heavy.size());
  m.verdict = judge(e, run.heavy.size());
  return m;
}

}  // namespace sotto::analyzer
