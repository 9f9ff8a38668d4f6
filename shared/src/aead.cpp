// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/aead.hpp"

#include <bit>

#include "sotto/chacha.hpp"
#include "sotto/wipe.hpp"

namespace sotto {

namespace {

static_assert(std::endian::native == std::endian::little, "the key stream is read as bytes");

struct Stream {
  std::uint32_t key[8];
  std::uint32_t nonce[3];
  std::uint32_t block[16];

  explicit Stream(const AeadText& t) noexcept {
    chacha_words(key, t.key, 8);
    chacha_words(nonce, t.nonce, 3);
  }
  ~Stream() { wipe_object(*this); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  void make(std::uint32_t counter) noexcept { chacha_block(key, counter, nonce, ChachaRounds::private_coins, block); }
};

void encrypt(Stream& stream, const AeadText& t) noexcept {
  for (std::size_t i = 0; i < t.text_bytes; ++i) {
    if (i % 64 == 0) stream.make(static_cast<std::uint32_t>(i / 64) + 1);
    t.text[i] ^= reinterpret_cast<const std::uint8_t*>(stream.block)[i % 64];
  }
}

void authenticate(Stream& stream, const AeadText& t, std::uint8_t tag[k_tag_bytes]) noexcept {
  stream.make(0);
  {
    Poly1305 poly(stream.block);
    std::size_t associated_bytes = 0;
    for (const AeadPiece *piece = t.associated, *const end = piece + t.associated_pieces; piece != end; ++piece) {
      poly.add({piece->bytes, piece->size});
      associated_bytes += piece->size;
    }
    poly.pad();
    poly.add({t.text, t.text_bytes});
    poly.pad();
    poly.add_lengths(associated_bytes, t.text_bytes);
    poly.finish(tag);
  }
  wipe_stack();
}

}  // namespace

void aead_seal(const AeadText& text) noexcept {
  Stream stream(text);
  encrypt(stream, text);
  authenticate(stream, text, text.tag);
}

bool aead_open(const AeadText& text) noexcept {
  Stream stream(text);
  std::uint8_t tag[k_tag_bytes];
  authenticate(stream, text, tag);
  std::uint32_t differences = 0;
  for (std::size_t i = 0; i < k_tag_bytes; ++i) differences |= std::uint32_t{tag[i]} ^ text.tag[i];
  wipe(tag, sizeof tag);
  if (differences != 0) return false;
  encrypt(stream, text);
  return true;
}

}  // namespace sotto
