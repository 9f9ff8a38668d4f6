// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/histogram.hpp"

#include <algorithm>
#include <vector>

namespace sotto::analyzer {

namespace {

constexpr std::size_t k_lanes = 4;
constexpr std::size_t k_small = 2048;                  // four tables of this size fit the first-level cache
constexpr std::size_t k_chunk = std::size_t{1} << 20;  // reports between flushes: a table's 32-bit cell cannot overflow

/// Consecutive reports often name the same outcome, and adding to a cell that was just stored waits for that store;
/// four tables used in turn hide the wait. One more cell after the outcomes counts reports that are out of range, so
/// that no branch is needed.
std::uint64_t count_small(std::span<std::int64_t> sums, std::span<const std::uint32_t> reports) {
  const std::size_t cells = sums.size() + 1;
  const auto past = static_cast<std::uint32_t>(sums.size());
  std::vector<std::uint32_t> tables(k_lanes * cells, 0);
  std::size_t i = 0;
  for (; i + k_lanes <= reports.size(); i += k_lanes) {
    for (std::size_t lane = 0; lane < k_lanes; ++lane) ++tables[lane * cells + std::min(reports[i + lane], past)];
  }
  for (; i < reports.size(); ++i) ++tables[std::min(reports[i], past)];
  const auto total = [&](std::size_t cell) {
    std::int64_t n = 0;
    for (std::size_t lane = 0; lane < k_lanes; ++lane) n += tables[lane * cells + cell];
    return n;
  };
  for (std::size_t v = 0; v < sums.size(); ++v) sums[v] += total(v);
  return reports.size() - static_cast<std::uint64_t>(total(past));
}

std::uint64_t count_large(std::span<std::int64_t> sums, std::span<const std::uint32_t> reports) {
  std::uint64_t used = 0;
  for (const std::uint32_t r : reports) {
    if (r >= sums.size()) continue;
    ++sums[r];
    ++used;
  }
  return used;
}

}  // namespace

bool count_report(Sums& sums, std::uint32_t report) noexcept {
  if (report >= sums.values().size() || !sums.has_room()) {
    sums.count_refused();
    return false;
  }
  ++sums.values()[report];
  sums.count_used();
  return true;
}

std::uint64_t count_reports(Sums& sums, std::span<const std::uint32_t> reports) {
  std::uint64_t used = 0;
  while (!reports.empty()) {
    const auto chunk = reports.first(std::min(reports.size(), k_chunk));
    reports = reports.subspan(chunk.size());
    if (!sums.has_room(chunk.size())) {
      for (const std::uint32_t r : chunk) used += count_report(sums, r) ? 1 : 0;
      continue;
    }
    const bool small = sums.values().size() <= k_small && chunk.size() >= k_lanes * sums.values().size();
    const std::uint64_t taken = small ? count_small(sums.values(), chunk) : count_large(sums.values(), chunk);
    sums.count_used(taken);
    sums.count_refused(chunk.size() - taken);
    used += taken;
  }
  return used;
}

}  // namespace sotto::analyzer
