// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// A firmware that answers every pair of a question and a randomizer many times, for two data sets, and prints what leaves it and what
// could be timed. tests/audit/audit_bounds.py reads it:
//
//   case KIND QUESTION STEM EPSILON DELTA    begins a case; EPSILON in nano-nats and DELTA in units of 2^-64 are what the case may spend
//   manifest HEX, round HEX                  the study and its first round
//   report TRUTH HEX[+HEX] INSTRUCTIONS      one run: data set 1 or 2; the reports that left, `-` in place of one that was refused;
//                                            instructions of the last send()
//   coin CERTIFIED READ                      a threshold that was read from the device by planted coins (read_threshold.hpp)
//   noise VARIANCE                           the certified variance of Gaussian noise
//   refused STATUS                           the device answers nothing of this case
//
// KIND is `single`; `two` for two rounds whose data sets differ in the second alone, so that one epsilon is what both reports may show;
// `cap` for two rounds under a cap that pays one. AUDIT_REPORTS runs are made for each data set. Without AUDIT_EVERY_PAIR only the first pair of each randomizer is asked, and
// two rounds only of the first.
#include <cstdint>

#include "board.h"
#include "seeded_entropy.hpp"
#include "sotto/analyzer/audit/audited_device.hpp"
#include "sotto/analyzer/audit/read_threshold.hpp"

using namespace sotto;
using namespace sotto::analyzer::audit;

namespace {

constexpr EpsilonNano k_epsilon = AUDIT_EPSILON_NATS * k_epsilon_one;

enum class Kind : std::uint8_t { single, two, cap };
constexpr const char* k_kind_names[] = {"single", "two", "cap"};

AskedPair pair;
AuditedDevice device;

void put_hex(std::span<const std::uint8_t> bytes) {
  for (const std::uint8_t b : bytes) {
    board_putc("0123456789abcdef"[b >> 4]);
    board_putc("0123456789abcdef"[b & 15u]);
  }
}

void put_u64(std::uint64_t v) {
  char digits[20];
  int n = 0;
  do {
    digits[n++] = static_cast<char>('0' + v % 10);
    v /= 10;
  } while (v != 0);
  while (n > 0) board_putc(digits[--n]);
}

void put_bytes(const char* name, std::span<const std::uint8_t> bytes) {
  board_puts(name);
  put_hex(bytes);
  board_puts("\n");
}

/// One report, or a dash; the instructions from the charge to the bytes.
std::uint32_t send_round(std::uint16_t round, bool first) {
  Status status = device.prepare(round, first);
  board_count_start();
  if (status == Status::ok) status = device.send();
  const std::uint32_t count = board_count();
  if (status == Status::ok)
    put_hex(device.report());
  else
    board_putc('-');
  return count;
}

void run_once(Kind kind, bool first) {
  device.restart();
  board_puts(first ? "report 1 " : "report 2 ");
  // Of two rounds only the second has two data sets: coins that both rounds share would show the difference.
  std::uint32_t count = send_round(1, kind == Kind::two || first);
  if (kind != Kind::single) {
    board_putc('+');
    count = send_round(2, first);
  }
  board_putc(' ');
  board_put_u32(count);
  board_puts("\n");
}

/// What the compiled device does with planted coins. A coin that does not decide as a threshold does counts as none.
void read_coins(const QuestionStem& which) {
  if (pair.coins.variance > 0) {
    board_puts("noise ");
    put_u64(pair.coins.variance);
    board_puts("\n");
  }
  SteadyEntropy entropy;
  if (device.begin(which, pair, entropy.source(), 2 * k_epsilon) != Status::ok) return;
  ThresholdReader reader{device, entropy};
  for (std::uint32_t i = 0; i < pair.coins.count; ++i) {
    const ReadThreshold of = reader.read(pair.coins.is_wide ? 2 * i : 0, pair.coins.is_wide);
    board_puts("coin ");
    put_u64(pair.coins.threshold[i]);
    board_putc(' ');
    put_u64(of.is_step ? of.threshold : 0);
    board_puts("\n");
  }
}

void run_case(Kind kind, const QuestionStem& which, std::uint64_t seed) {
  ask_pair(which, k_epsilon, pair);
  board_puts("case ");
  board_puts(k_kind_names[static_cast<int>(kind)]);
  board_putc(' ');
  board_puts(which.question);
  board_putc(' ');
  board_puts(which.stem);
  board_putc(' ');
  put_u64(k_epsilon);
  board_putc(' ');
  put_u64(pair.manifest.delta);
  board_puts("\n");
  put_bytes("manifest ", pair.manifest_bytes());
  put_bytes("round ", pair.round_bytes(1));
  SeededEntropy entropy{seed};
  Status status = device.begin(which, pair, entropy.source(), (kind == Kind::two ? 2 : 1) * k_epsilon);
  if (status == Status::ok) status = device.prepare(1, true);
  if (status != Status::ok) {
    board_puts("refused ");
    board_put_u32(static_cast<std::uint32_t>(status));
    board_puts("\n");
    return;
  }
  for (std::uint32_t i = 0; i < AUDIT_REPORTS; ++i) {
    run_once(kind, true);
    run_once(kind, false);
  }
  if (kind == Kind::single) read_coins(which);
}

[[nodiscard]] bool same(const char* a, const char* b) {
  for (; *a != 0 && *a == *b; ++a) ++b;
  return *a == *b;
}

[[nodiscard]] bool is_first_of_its_stem(std::size_t i) {
  const std::span<const QuestionStem> all = question_stems();
  for (std::size_t before = 0; before < i; ++before) {
    if (same(all[before].stem, all[i].stem)) return false;
  }
  return true;
}

}  // namespace

int main() {
  const std::span<const QuestionStem> all = question_stems();
  std::uint64_t seed = AUDIT_SEED;
  for (std::size_t i = 0; i < all.size(); ++i, ++seed) {
    if (AUDIT_EVERY_PAIR || is_first_of_its_stem(i)) run_case(Kind::single, all[i], seed);
  }
  for (std::size_t i = 0; i < all.size(); ++i, ++seed) {
    if (AUDIT_EVERY_PAIR ? is_first_of_its_stem(i) : i == 0) run_case(Kind::two, all[i], seed);
  }
  run_case(Kind::cap, all[0], seed);
  return 0;
}
