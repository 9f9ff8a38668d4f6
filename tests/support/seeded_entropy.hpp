// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>

#include "sotto/chacha.hpp"
#include "sotto/coins/entropy.hpp"

namespace sotto {

/// Bytes that look random and repeat with the seed: ChaCha20 under a key made of it. For tests and simulations only.
class SeededEntropy {
 public:
  explicit SeededEntropy(std::uint64_t seed) noexcept
      : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)} {}

  [[nodiscard]] EntropySource source() noexcept { return {this, ready, read}; }

  [[nodiscard]] std::uint8_t byte() noexcept {
    if (at_ == 64) {
      constexpr std::uint32_t k_nonce[3] = {0x74746f73u, 0x65742d6fu, 0x00007473u};  // "sotto-test"
      chacha_block(key_, block_number_++, k_nonce, ChachaRounds::private_coins, block_);
      at_ = 0;
    }
    const auto b = static_cast<std::uint8_t>(block_[at_ >> 2] >> (8 * (at_ & 3u)));
    ++at_;
    return b;
  }
  /// For test inputs: the next four bytes, little-endian.
  [[nodiscard]] std::uint32_t word() noexcept {
    std::uint32_t w = 0;
    for (int i = 0; i < 4; ++i) w |= std::uint32_t{byte()} << (8 * i);
    return w;
  }

 private:
  static bool ready(void*) noexcept { return true; }
  static bool read(void* self, std::uint8_t* out, std::size_t n) noexcept {
    for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<SeededEntropy*>(self)->byte();
    return true;
  }

  std::uint32_t key_[8] = {};
  std::uint32_t block_[16] = {};
  std::uint32_t block_number_ = 0;
  std::uint32_t at_ = 64;
};

/// What can be wrong with a source of entropy.
enum class EntropyFlaw : std::uint8_t {
  none,
  not_ready,     ///< says that it has not settled
  failing_read,  ///< says that it is ready, then cannot deliver
  dry,           ///< delivers `good_reads` seeds, then fails
  stuck,         ///< the same byte for ever
  repeating,     ///< the same good seed for ever
  biased,        ///< one bit in eight set
};

/// A source with one flaw, which a test can mend.
class FlawedEntropy {
 public:
  explicit FlawedEntropy(EntropyFlaw flaw, std::uint32_t good_reads = 0) noexcept
      : flaw_(flaw), good_reads_(good_reads) {}

  [[nodiscard]] EntropySource source() noexcept { return {this, ready, read}; }
  void mend() noexcept { flaw_ = EntropyFlaw::none; }
  [[nodiscard]] std::uint32_t reads() const noexcept { return reads_; }

 private:
  static bool ready(void* self) noexcept { return static_cast<FlawedEntropy*>(self)->flaw_ != EntropyFlaw::not_ready; }
  static bool read(void* self, std::uint8_t* out, std::size_t n) noexcept {
    return static_cast<FlawedEntropy*>(self)->fill(out, n);
  }
  bool fill(std::uint8_t* out, std::size_t n) noexcept {
    ++reads_;
    if (flaw_ == EntropyFlaw::failing_read || (flaw_ == EntropyFlaw::dry && reads_ > good_reads_)) return false;
    if (flaw_ == EntropyFlaw::repeating) good_ = SeededEntropy{k_seed};
    for (std::size_t i = 0; i < n; ++i) {
      out[i] = good_.byte();
      if (flaw_ == EntropyFlaw::stuck) out[i] = 0x5a;
      if (flaw_ == EntropyFlaw::biased) out[i] = static_cast<std::uint8_t>(1u << (out[i] & 7u));
    }
    return true;
  }

  static constexpr std::uint64_t k_seed = 20;
  EntropyFlaw flaw_;
  std::uint32_t good_reads_;
  std::uint32_t reads_ = 0;
  SeededEntropy good_{k_seed};
};

/// Delivers given bytes, 32 for each seed, and fails when they are used up: the script of a test.
class ScriptedEntropy {
 public:
  ScriptedEntropy(const std::uint8_t* bytes, std::size_t size) noexcept : next_(bytes), left_(size) {}
  [[nodiscard]] EntropySource source() noexcept { return {this, ready, read}; }

 private:
  static bool ready(void*) noexcept { return true; }
  static bool read(void* self, std::uint8_t* out, std::size_t n) noexcept {
    auto& script = *static_cast<ScriptedEntropy*>(self);
    if (n > script.left_) return false;
    for (std::size_t i = 0; i < n; ++i) out[i] = *script.next_++;
    script.left_ -= n;
    return true;
  }

  const std::uint8_t* next_;
  std::size_t left_;
};

}  // namespace sotto
