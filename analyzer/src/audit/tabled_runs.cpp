// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/audit/cases.hpp"

// The table of how many runs an audit needs at each epsilon.
namespace sotto::analyzer::audit {

namespace {

struct Row {
  EpsilonNano epsilon;
  std::uint64_t one_bit;     ///< the event has probability e^epsilon/(1 + e^epsilon)
  std::uint64_t aggregated;  ///< the event joins the k closest of many outcomes
};
// Found by exact simulation; aggregated values above 4 nats are the one-bit values times the ratio at 4 nats.
constexpr Row k_table[] = {
    {500'000'000, 17'400, 26'200}, {1'000'000'000, 5'430, 8'160},   {2'000'000'000, 3'210, 4'560},
    {4'000'000'000, 5'750, 7'270}, {6'000'000'000, 20'700, 26'200}, {8'000'000'000, 100'000, 126'500},
};

const Row& row_for(EpsilonNano epsilon) {
  for (const Row& row : k_table) {
    if (epsilon <= row.epsilon) return row;
  }
  return k_table[std::size(k_table) - 1];
}

}  // namespace

std::uint64_t tabled_runs(EpsilonNano epsilon) { return row_for(epsilon).one_bit; }
std::uint64_t tabled_runs_aggregated(EpsilonNano epsilon) { return row_for(epsilon).aggregated; }

}  // namespace sotto::analyzer::audit
