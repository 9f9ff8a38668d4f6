// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Instructions to verify a signature, on targets with an instruction counter. The time depends on the bits of S and of the challenge, which
// are public: `max` is of the messages here. What a longer message costs is the difference of the two lines.
#include "bench_support.hpp"
#include "sotto/ed25519/ed25519.hpp"
#include "vectors_ed25519.hpp"

using namespace sotto;

namespace {

void count(const char* name, std::size_t first, std::size_t last) {
  Counts counts;
  for (std::size_t i = first; i < last; ++i) {
    const vectors::Ed25519Case& v = vectors::k_ed25519[i];
    board_count_start();
    const bool valid = ed25519_verify({vectors::k_ed25519_bytes + v.first, v.length}, v.signature, v.key);
    counts.add(board_count());
    bench_failed = bench_failed || !valid;
  }
  print_counts(name, counts);
}

}  // namespace

int main() {
  if (!board_has_count) {
    board_puts("no instruction counter here\n");
    return 0;
  }
  count("ed25519_short", 0, 3);  // 0 to 2 bytes
  count("ed25519_1023_bytes", 3, 4);
  return bench_failed ? 1 : 0;
}
