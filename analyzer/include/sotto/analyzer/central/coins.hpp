// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The server's source of random words for noise, sampling and private choices of `sotto fit`.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace sotto::analyzer::central {

/// Random words from the ChaCha20 stream of a key that the operating system drew or, for simulations that must be
/// repeatable, of a key derived from a seed. Whoever knows the seed can subtract the noise.
class Coins {
 public:
  /// Without a seed the key is fresh from the operating system; throws std::runtime_error if none is available.
  /// Different `stream` numbers give independent words for the same seed.
  explicit Coins(std::optional<std::uint64_t> seed, std::uint64_t stream = 0);
  Coins(const Coins&) = delete;
  Coins& operator=(const Coins&) = delete;
  ~Coins();

  [[nodiscard]] std::uint64_t word() {
    if (next_ == words_.size()) refill();
    return words_[next_++];
  }
  /// Exactly uniform in 0 .. n - 1, n >= 1, by rejection; less than one rejection on average.
  [[nodiscard]] std::uint64_t below(std::uint64_t n);

 private:
  void refill();

  std::array<std::uint8_t, 32> key_{};
  std::array<std::uint64_t, 512> words_{};
  std::size_t next_ = 512;
  std::uint64_t block_ = 0;  ///< number of the next refill, used as the nonce
};

}  // namespace sotto::analyzer::central
