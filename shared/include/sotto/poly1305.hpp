// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The one-time authenticator Poly1305, used by the AEAD (sotto/aead.hpp).

#include <cstddef>
#include <cstdint>

namespace sotto {

inline constexpr std::size_t k_tag_bytes = 16;

/// Poly1305 (RFC 8439, 2.5) over whole blocks, which is all that the AEAD needs. One key authenticates one message. The
/// owner of the object wipes it.
/// Cost     constant time for messages of one length; 160 instructions a block on Cortex-M4, 520 on M0.
class Poly1305 {
 public:
  Poly1305() noexcept {}  // start() comes next
  Poly1305(const Poly1305&) = delete;
  Poly1305& operator=(const Poly1305&) = delete;

  void start(const std::uint32_t one_time_key[8]) noexcept;
  /// Adds the next 16 bytes, as little-endian words. `top` is the bit above them: 1, or 0 for a shorter last block,
  /// which the caller pads with a byte 1 and zeros.
  void block(const std::uint32_t input[4], std::uint32_t top = 1) noexcept;
  /// Writes the tag of everything added. The object cannot be used afterwards.
  void finish(std::uint8_t tag[k_tag_bytes]) noexcept;

 private:
  std::uint32_t factor_[8];  // 5*floor(r_i/4), i = 0..3; then r_i
  std::uint32_t last_[4];    // added to the sum at the end
  std::uint32_t sum_[5];     // the sum so far, radix 2^32; its top word is at most 2^31 + 17
};

}  // namespace sotto
