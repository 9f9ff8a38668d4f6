// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace sotto::analyzer::central {

/// Random words of the server: the ChaCha20 stream of a key that the operating system drew, or, for a simulation that must be
/// repeatable, of a key that follows from a seed. Whoever knows the seed can take the noise off again.
class Coins {
 public:
  /// Without a seed: a fresh key of the operating system. Throws std::runtime_error where it has none to give.
  explicit Coins(std::optional<std::uint64_t> seed, std::uint64_t stream = 0);
  Coins(const Coins&) = delete;
  Coins& operator=(const Coins&) = delete;
  ~Coins();

  [[nodiscard]] std::uint64_t word() {
    if (next_ == words_.size()) refill();
    return words_[next_++];
  }
  /// Uniform in 0 .. n - 1, n >= 1, exactly; rejects less than once on average.
  [[nodiscard]] std::uint64_t below(std::uint64_t n);

 private:
  void refill();

  std::array<std::uint8_t, 32> key_{};
  std::array<std::uint64_t, 512> words_{};
  std::size_t next_ = 512;
  std::uint64_t block_ = 0;  ///< number of the next refill: the nonce
};

}  // namespace sotto::analyzer::central
