// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Instructions of the ledger, on targets with an instruction counter; the lines are those of bench_randomizers.cpp. The flash
// hooks copy bytes in memory, so what a real flash costs comes on top.
#include <cstdint>

#include "bench_support.hpp"
#include "ledger_kit.hpp"

using namespace sotto;

namespace {

constexpr std::uint32_t k_sector_bytes = 2048;
alignas(4) std::uint8_t memory[2 * k_sector_bytes];
std::uint32_t erases;

/// A flash of words: the image and all its lines are words.
void copy_words(std::uint8_t* to, const std::uint8_t* from, std::uint32_t bytes) {
  auto* const t = reinterpret_cast<std::uint32_t*>(__builtin_assume_aligned(to, 4));
  const auto* const f = reinterpret_cast<const std::uint32_t*>(__builtin_assume_aligned(from, 4));
  for (std::uint32_t i = 0; i < bytes / 4; ++i) t[i] = f[i];
}

const Flash flash{nullptr,
                  [](void*, std::uint32_t address, std::uint8_t* out, std::uint32_t bytes) {
                    copy_words(out, memory + address, bytes);
                    return true;
                  },
                  [](void*, std::uint32_t address, const std::uint8_t* data, std::uint32_t bytes) {
                    copy_words(memory + address, data, bytes);
                    return true;
                  },
                  [](void*, std::uint32_t sector) {
                    ++erases;
                    for (std::uint32_t i = 0; i < k_sector_bytes; ++i) memory[sector * k_sector_bytes + i] = 0xff;
                    return true;
                  },
                  [](void*) { return true; },
                  {k_sector_bytes, 2, 4, 0xff}};

}  // namespace

int main() {
  if (!board_has_count) {
    board_puts("no instruction counter here\n");
    return 0;
  }
  for (std::uint8_t& byte : memory) byte = 0xff;
  const LedgerHooks hooks{nullptr, nullptr, nullptr, nullptr};  // no protections, and not the code that asks for them
  const Digest digest{7};
  std::uint8_t report[34] = {};
  RoomyLedger<1, sizeof report> ledger, again;
  Answer answer{&digest, 1, k_any_answers, {k_epsilon_one, 0}, report, sizeof report};
  must_be_ok(ledger.create(flash, hooks, {{100 * k_epsilon_one, 0}, {100 * k_epsilon_one, 0}}, birth_entropy()));
  must_be_ok(ledger.set_consent(true));
  must_be_ok(ledger.enrol(digest, k_anybody));
  must_be_ok(ledger.find_study(answer));
  Counts hot, moving, open;
  for (; answer.round <= 60; ++answer.round) {
    const std::uint32_t before = erases;
    board_count_start();
    must_be_ok(ledger.charge(answer));
    must_be_ok(ledger.store(answer));
    (before == erases ? hot : moving).add(board_count());
    board_count_start();
    must_be_ok(again.open(flash, hooks));
    open.add(board_count());
  }
  print_counts("charge_and_store", hot);
  print_counts("charge_and_store_moving", moving);
  print_counts("open_2k", open);
  return bench_failed ? 1 : 0;
}
