// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// A firmware in small: one vote through the installed library.
#include <cstddef>
#include <cstdint>

#include "sotto/randomize/vote.hpp"

namespace {

// A test's stand-in for a hardware source; never do this in a product.
bool ready(void*) { return true; }
bool read(void* context, std::uint8_t* out, std::size_t n) {
  auto& state = *static_cast<std::uint32_t*>(context);
  for (std::size_t i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    out[i] = static_cast<std::uint8_t>(state >> 24);
  }
  return true;
}

}  // namespace

int main() {
  sotto::VoteSpec spec;
  spec.epsilon = 2 * sotto::k_epsilon_one;
  spec.features = 64;
  if (derive(spec) != sotto::Status::ok) return 1;
  sotto::Certified<sotto::VoteSpec> certified;
  if (certify(spec, 2 * sotto::k_epsilon_one, certified) != sotto::Status::ok) return 2;

  std::uint32_t state = 1;
  const sotto::EntropySource source{&state, ready, read};
  sotto::PrivateCoins coins;
  if (coins.begin_report(source) != sotto::Status::ok) return 3;
  const std::uint8_t seed[32] = {};
  const sotto::CoinLabel label{seed, 1, 1};
  std::uint32_t report = 0;
  return sotto::vote(certified, label, 7, coins, report) == sotto::Status::ok ? 0 : 4;
}
