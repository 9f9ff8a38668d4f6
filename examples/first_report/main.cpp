// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <sys/random.h>

#include <cstdio>

#include "sotto/randomize/vote.hpp"

// The entropy hook. Here the operating system's; on a microcontroller its hardware generator. There is no default.
static bool entropy_ready(void*) { return true; }
static bool entropy_read(void*, std::uint8_t* out, std::size_t n) {
  return getrandom(out, n, 0) == static_cast<ssize_t>(n);
}

int main() {
  using namespace sotto;
  constexpr EpsilonNano k_cap = 4 * k_epsilon_one;  // the most that this firmware ever allows
  VoteSpec spec;
  spec.epsilon = 2 * k_epsilon_one;
  spec.features = 8;
  Certified<VoteSpec> certified;
  if (derive(spec) != Status::ok || certify(spec, k_cap, certified) != Status::ok) return 1;

  PrivateCoins coins;  // one for as long as the device runs
  if (coins.begin_report({nullptr, entropy_ready, entropy_read}) != Status::ok) return 1;  // no entropy, no report

  const std::uint8_t study_seed[32] = {};    // public, the same for all devices of a study
  const CoinLabel label{study_seed, 17, 1};  // this device's pseudonym, and the round
  const std::uint32_t local_answer = 5;      // stays here
  std::uint32_t report = 0;
  if (vote(certified, label, local_answer, coins, report) != Status::ok) return 1;
  std::printf("send %u\n", static_cast<unsigned>(report));  // all that leaves the device
  return 0;
}
