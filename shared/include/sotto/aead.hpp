// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// @file
/// ChaCha20-Poly1305 (RFC 8439), with which reports are sealed.

#include <cstddef>
#include <cstdint>

#include "sotto/poly1305.hpp"
#include "sotto/wipe.hpp"

namespace sotto {

inline constexpr std::size_t k_key_bytes = 32, k_nonce_bytes = 12;

/// One text to seal or to open, in place. Plain pointers, because a platform's hook may be C.
struct AeadText {
  const std::uint8_t* key;    ///< k_key_bytes
  const std::uint8_t* nonce;  ///< k_nonce_bytes; with one key, never twice
  const std::uint32_t*
      associated;  ///< bytes that stand at a multiple of 4, and behind them zeros up to a multiple of 16
  std::size_t associated_bytes;
  std::uint8_t* text;
  std::size_t text_bytes;
  std::uint8_t* tag;  ///< k_tag_bytes: written by seal, read by open
};

/// What one text is sealed with: key, counter and nonce stand as ChaCha reads them. Wiped when it goes.
struct AeadStream {
  std::uint32_t key[8];
  std::uint32_t counter;
  std::uint32_t nonce[3];
  std::uint32_t block[16];
  Poly1305 poly;

  AeadStream() noexcept {}
  AeadStream(const AeadStream&) = delete;
  AeadStream& operator=(const AeadStream&) = delete;
  ~AeadStream() { wipe_object(*this); }
};

/// Encrypts and authenticates: ChaCha20-Poly1305 (RFC 8439). Cannot fail.
/// Cost     constant time for texts of one length: nothing branches on, and no address depends on, key or text.
void aead_seal(const AeadText& text) noexcept;
/// The same with key and nonce where they are needed, not where the text says.
void aead_seal(const AeadText& text, AeadStream& stream) noexcept;

/// Decrypts, if the tag is right. Else returns false and leaves the text as it is.
[[nodiscard]] bool aead_open(const AeadText& text) noexcept;

/// The platform's own ChaCha20-Poly1305, used instead of aead_seal() when `seal` is set. It gives the same bytes, or returns
/// false: then nothing is sent.
struct AeadHook {
  void* context = nullptr;
  bool (*seal)(void* context, const AeadText* text) = nullptr;
};

}  // namespace sotto
