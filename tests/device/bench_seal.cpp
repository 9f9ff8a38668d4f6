// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Instructions to seal a report, on targets with an instruction counter; the lines are those of bench_randomizers.cpp. Here
// `constant` compares different keys and payloads of the same length.
#include <cstdint>

#include "bench_support.hpp"
#include "sotto/aead.hpp"
#include "sotto/credential.hpp"
#include "sotto/poly1305.hpp"

using namespace sotto;

namespace {

Digest study, round_object;
ReportKey key;
std::uint8_t report[k_header_bytes + 64 + k_tag_bytes];

void fill(std::span<std::uint8_t> bytes, SeededEntropy& inputs) {
  for (std::uint8_t& b : bytes) b = static_cast<std::uint8_t>(inputs.word());
}

void count_poly1305() {
  std::uint32_t one_time_key[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  Poly1305 poly;
  poly.start(one_time_key);
  count_calls("poly1305_block", [&] { poly.block(one_time_key); });
}

void count_seal(const char* name, std::size_t payload_bytes) {
  const std::span<std::uint8_t> sealed(report, k_header_bytes + payload_bytes + k_tag_bytes);
  Counts counts;
  SeededEntropy inputs{6};
  for (int i = 0; i < 64; ++i) {
    fill(key, inputs);
    fill(study, inputs);
    fill(round_object, inputs);
    fill(sealed, inputs);
    board_count_start();
    must_be_ok(seal_report(key, {study, round_object}, sealed));
    counts.add(board_count());
  }
  print_counts(name, counts);
  board_puts("constant ");
  board_puts(name);
  board_puts(" ");
  board_put_u32(counts.most - counts.least);
  board_puts("\n");
  bench_failed = bench_failed || counts.most - counts.least > 1;
}

}  // namespace

int main() {
  if (!board_has_count) {
    board_puts("no instruction counter here\n");
    return 0;
  }
  count_poly1305();
  count_seal("seal_report_2", 2);
  count_seal("seal_report_64", 64);
  return bench_failed ? 1 : 0;
}
