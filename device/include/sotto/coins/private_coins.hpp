// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>

#include "sotto/coins/entropy.hpp"
#include "sotto/uniform.hpp"
#include "sotto/wipe.hpp"

namespace sotto {

/// The device's secret coins: ChaCha20 with fast key erasure. Every block overwrites its own key first, and every word is
/// wiped when it is given out, so that a later look at memory does not bring back the coins of a sent report.
///
/// Each report begins with begin_report(), which mixes 32 fresh bytes from the firmware's source into the key and runs a block.
/// A source that fails leaves the coins unready, and randomizers refuse. A new object forgets the seeds of the one before; what
/// lives on from report to report and from boot to boot is the ledger's secret, which a session stirs in. Never copied, never stored.
class PrivateCoins {
 public:
  constexpr PrivateCoins() noexcept = default;
  PrivateCoins(const PrivateCoins&) = delete;
  PrivateCoins& operator=(const PrivateCoins&) = delete;
  ~PrivateCoins() { forget(); }

  /// Refuses  entropy_not_ready (no hook, or the hook says so), entropy_fault (read failed, or the health test).
  Status begin_report(const EntropySource& source) noexcept;
  /// The same with two seeds, so that a source which repeats itself is noticed by the first report of these coins.
  Status begin_first_report(const EntropySource& source) noexcept;
  /// Mixes eight more words into the key, whatever they are worth: what was unpredictable stays so. Makes nothing ready.
  void stir(const std::uint32_t words[8]) noexcept;
  /// Stirs in what a secret that lives longer than these coins is worth: one block of the secret, of which the first half is the
  /// secret from now on and the second half is stirred in. Who reads the secret later cannot go back.
  void stir_secret(std::uint32_t secret[8]) noexcept;
  /// No coin is drawn after this until the next report begins; what was drawn ahead is wiped.
  void end_report() noexcept;
  /// Like new: the key and what is remembered of the last seed are wiped too.
  void forget() noexcept;
  /// ok once a report was begun; a randomizer asks before it draws.
  [[nodiscard]] Status ready() const noexcept { return ready_ != 0 ? Status::ok : Status::entropy_not_ready; }

  /// The next 32 random bits. Only after ready(); cannot run dry.
  [[nodiscard]] std::uint32_t word() noexcept { return draw(this); }
  /// Uniform in [0, n), n >= 1.
  [[nodiscard]] std::uint32_t below(std::uint32_t n) noexcept { return uniform_below(draw, this, n); }

 private:
  static std::uint32_t draw(void* coins) noexcept;
  void refill() noexcept;
  static constexpr std::uint32_t k_words = 8;
  // One array, so that a ChaCha block lands in it whole: the next key first, then the words to give out.
  std::uint32_t key_and_words_[8 + k_words] = {};
  std::uint32_t left_ = 0;  // of the words
  std::uint32_t last_seed_[2] = {};
  std::uint32_t ready_ = 0;  // a word: Cortex-M0 reaches no byte that far
};

}  // namespace sotto
