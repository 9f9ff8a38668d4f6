// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The device's secret randomness, from which all randomizers draw: a ChaCha20 generator that is seeded afresh for
/// every report.

#include <cstdint>
#include <type_traits>

#include "sotto/coins/entropy.hpp"
#include "sotto/uniform.hpp"
#include "sotto/wipe.hpp"

namespace sotto {

/// The device's secret coins: ChaCha20 with fast key erasure. Every block first overwrites its own key, and every word
/// is wiped when it is drawn, so that memory read later does not reveal the coins of an earlier report.
///
/// Each report starts with begin_report(), which mixes 32 fresh bytes from the firmware's source into the key and
/// computes a block. If the source fails, the coins stay unready, and randomizers refuse. A new object knows no earlier
/// seed; what persists across reports and reboots is the ledger's secret, which Ledger::seed() mixes in. Not copyable.
class PrivateCoins {
 public:
  /// Sets all words to zero. At run time forget() does this, so that the firmware does not link memset for it.
  constexpr PrivateCoins() noexcept {
    if (!std::is_constant_evaluated()) {
      forget();
      return;
    }
    for (std::uint32_t& word : key_and_words_) word = 0;
    left_ = last_seed_[0] = last_seed_[1] = ready_ = 0;
  }
  PrivateCoins(const PrivateCoins&) = delete;
  PrivateCoins& operator=(const PrivateCoins&) = delete;
  ~PrivateCoins() { forget(); }

  /// Refuses  entropy_not_ready (no hook, or the hook says so), entropy_fault (read failed, or the health test).
  Status begin_report(const EntropySource& source) noexcept;
  /// The same with two seeds, so that a source that repeats itself is noticed by the first report of these coins; then
  /// mixes in a secret that outlives these coins. The words of the next block are not drawn but replace the secret, so
  /// that reading the new secret later does not reveal the coins of this report.
  Status begin_report(const EntropySource& source, std::uint32_t secret[8]) noexcept;
  /// Mixes eight more words into the key. Words that an attacker knows do no harm: a key that was unpredictable stays
  /// unpredictable. Does not make the coins ready.
  void stir(const std::uint32_t words[8]) noexcept;
  /// Makes the coins unready until the next begin_report(), and wipes words that were computed ahead.
  void end_report() noexcept;
  /// Returns to the initial state: also wipes the key and what is remembered of the last seed.
  void forget() noexcept;
  /// ok after begin_report(); a randomizer checks it before it draws.
  [[nodiscard]] Status ready() const noexcept { return ready_ != 0 ? Status::ok : Status::entropy_not_ready; }

  /// The next 32 random bits. Only while ready(); the stream does not end.
  [[nodiscard]] std::uint32_t word() noexcept { return draw(this); }
  /// Uniform in [0, n), n >= 1.
  [[nodiscard]] std::uint32_t below(std::uint32_t n) noexcept { return uniform_below(draw, this, n); }

 private:
  static std::uint32_t draw(void* coins) noexcept;
  void refill() noexcept;
  static constexpr std::uint32_t k_words = 8;
  // One array, which a ChaCha block fills as a whole: the next key, then the words to draw.
  std::uint32_t key_and_words_[8 + k_words];
  std::uint32_t left_;  // words not drawn yet
  std::uint32_t last_seed_[2];
  std::uint32_t ready_;  // a word, because Cortex-M0 cannot address a byte at this offset in one instruction
};

}  // namespace sotto
