// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>

#include "board.h"
#include "seeded_entropy.hpp"
#include "sotto/certified.hpp"
#include "sotto/coins/private_coins.hpp"
#include "sotto/public_coins.hpp"

// What bench_randomizers.cpp counts with.
namespace sotto {

inline bool bench_failed = false;

inline void must_be_ok(Status status) {
  if (status == Status::ok) return;
  board_puts("refused: ");
  board_put_u32(static_cast<std::uint32_t>(status));
  board_puts("\n");
  board_exit(2);
}

/// Hands over 32 bytes that were made before the count began.
class PreparedEntropy {
 public:
  explicit PreparedEntropy(std::uint64_t seed) noexcept : entropy_(seed) { prepare(); }
  void prepare() noexcept {
    for (std::uint32_t& w : words_) w = entropy_.word();
  }
  [[nodiscard]] EntropySource source() noexcept { return {this, ready, read}; }

 private:
  static bool ready(void*) noexcept { return true; }
  static bool read(void* self, std::uint8_t* out, std::size_t) noexcept {
    auto* const to = static_cast<std::uint32_t*>(__builtin_assume_aligned(out, 4));
    for (int i = 0; i < 8; ++i) to[i] = static_cast<PreparedEntropy*>(self)->words_[i];
    return true;
  }
  SeededEntropy entropy_;
  std::uint32_t words_[8];
};

inline CoinLabel bench_label() noexcept {
  static const std::uint8_t study_seed[32] = {7};
  return {study_seed, 12345, 1};
}

/// Smallest, largest and sum of counts.
struct Counts {
  std::uint32_t least = ~0u, most = 0, calls = 0;
  std::uint64_t sum = 0;
  void add(std::uint32_t count) noexcept {
    least = count < least ? count : least;
    most = count > most ? count : most;
    sum += count;
    ++calls;
  }
};

inline void print_counts(const char* name, const Counts& c) {
  board_puts("count ");
  board_puts(name);
  board_puts(" ");
  board_put_u32(static_cast<std::uint32_t>((c.sum + c.calls / 2) / c.calls));
  board_puts(" ");
  board_put_u32(c.most);
  board_puts("\n");
}

/// Counts 8 calls, each after `before`.
template <class Call, class Before>
void count_calls(const char* name, Call call, Before before) {
  Counts counts;
  for (int i = 0; i < 8; ++i) {
    before();
    board_count_start();
    call();
    counts.add(board_count());
  }
  print_counts(name, counts);
}
template <class Call>
void count_calls(const char* name, Call call) {
  count_calls(name, call, [] {});
}

struct NoFill {
  void operator()(std::uint32_t, SeededEntropy&) const noexcept {}
};

/// Different answers and different coins: a report after its begin_report(), which is a line of its own.
template <class Spec, class Report, class Fill>
void count_reports(const char* name, const Certified<Spec>& certified, std::uint32_t reports, Report report,
                   Fill fill) {
  Counts counts;
  SeededEntropy inputs{2};
  PreparedEntropy entropy{3};
  PrivateCoins coins;
  for (std::uint32_t i = 0; i < reports; ++i) {
    if constexpr (requires { certified.spec().dimension; }) fill(certified.spec().dimension, inputs);
    const std::uint32_t input = inputs.word();
    entropy.prepare();
    const EntropySource source = entropy.source();
    must_be_ok(coins.begin_report(source));
    board_count_start();
    must_be_ok(report(certified, input, coins));
    counts.add(board_count());
  }
  print_counts(name, counts);
}

/// Different answers, the same coins: the counts must agree. The counter itself may be off by one.
template <class Spec, class Report, class Fill>
void check_constant(const char* name, const Certified<Spec>& certified, Report report, Fill fill) {
  constexpr std::uint32_t k_answers = 64, k_coins = 3;
  std::uint32_t spread = 0;
  for (std::uint32_t seed = 0; seed < k_coins; ++seed) {
    Counts counts;
    SeededEntropy inputs{4};
    for (std::uint32_t i = 0; i < k_answers; ++i) {
      if constexpr (requires { certified.spec().dimension; }) fill(certified.spec().dimension, inputs);
      const std::uint32_t input = inputs.word();
      PreparedEntropy entropy{5 + seed};
      PrivateCoins coins;
      must_be_ok(coins.begin_report(entropy.source()));
      board_count_start();
      must_be_ok(report(certified, input, coins));
      counts.add(board_count());
    }
    spread = counts.most - counts.least > spread ? counts.most - counts.least : spread;
  }
  board_puts("constant ");
  board_puts(name);
  board_puts(" ");
  board_put_u32(spread);
  board_puts("\n");
  bench_failed = bench_failed || spread > 1;
}

template <class Spec>
Certified<Spec> certified_for_bench(Spec spec) {
  Certified<Spec> certified;
  must_be_ok(derive(spec));
  must_be_ok(certify(spec, spec.epsilon, certified));
  return certified;
}

/// A stem that promises constant time.
template <class Spec, class Report, class Fill = NoFill>
void bench(const char* name, const Spec& spec, std::uint32_t reports, Report report, Fill fill = {}) {
  const Certified<Spec> certified = certified_for_bench(spec);
  count_reports(name, certified, reports, report, fill);
  check_constant(name, certified, report, fill);
}

/// A stem whose duration follows its noise.
template <class Spec, class Report>
void bench_varying(const char* name, const Spec& spec, std::uint32_t reports, Report report) {
  count_reports(name, certified_for_bench(spec), reports, report, NoFill{});
}

}  // namespace sotto
