// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Authenticated encryption of reports: ChaCha20-Poly1305 (RFC 8439). A device seals with it, the collector opens; a
/// platform's own implementation may take the place of the library's.

#include <cstddef>
#include <cstdint>

#include "sotto/poly1305.hpp"
#include "sotto/wipe.hpp"

namespace sotto {

inline constexpr std::size_t k_key_bytes = 32, k_nonce_bytes = 12;

/// One text to seal or to open, in place. It holds plain pointers because a platform's hook may be written in C.
struct [[gnu::may_alias]] AeadText {
  const std::uint8_t* key;          ///< k_key_bytes
  const std::uint8_t* nonce;        ///< k_nonce_bytes; never twice with one key
  const std::uint32_t* associated;  ///< additional data, followed by zeros up to a multiple of 16 bytes
  std::size_t associated_bytes;
  std::uint8_t* text;
  std::size_t text_bytes;
  std::uint8_t* tag;  ///< k_tag_bytes: written by seal, read by open
};

/// The state while one text is sealed: key, counter and nonce are adjacent, in the order that ChaCha reads. Wiped by
/// the destructor.
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
/// The same with the key and nonce of `stream`; those of `text` are not read.
void aead_seal(const AeadText& text, AeadStream& stream) noexcept;

/// Decrypts if the tag is valid. Otherwise returns false and leaves the text encrypted.
[[nodiscard]] bool aead_open(const AeadText& text) noexcept;

/// The platform's own ChaCha20-Poly1305, used in place of aead_seal() if `seal` is set. It must produce the same bytes;
/// if it returns false, nothing is sent.
struct AeadHook {
  void* context = nullptr;
  bool (*seal)(void* context, const AeadText* text) = nullptr;
};

}  // namespace sotto
