// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/aead.hpp"

#include <bit>

#include "sotto/chacha.hpp"
#include "sotto/wipe.hpp"

namespace sotto {

namespace {

static_assert(std::endian::native == std::endian::little, "the key stream is read as bytes");

struct Stream : AeadStream {
  explicit Stream(const AeadText& t) noexcept {
    __builtin_memcpy(key, t.key, sizeof key);
    __builtin_memcpy(nonce, t.nonce, sizeof nonce);
  }
};

void make_block(AeadStream& stream) noexcept { chacha_block(stream.key, ChachaRounds::private_coins, stream.block); }

enum class Pass : std::uint8_t { encrypt, read };

/// Computes the tag of the text as it is after this pass; `read` leaves the text unchanged.
template <Pass pass>
void authenticate(AeadStream& stream, const AeadText& t, std::uint8_t tag[k_tag_bytes]) noexcept {
  stream.counter = 0;
  make_block(stream);
  Poly1305& poly = stream.poly;
  poly.start(stream.block);
  for (std::size_t at = 0; at < t.associated_bytes; at += 16) poly.block(t.associated + at / 4);
  // Each 16 bytes of the text overwrite their key stream, so that Poly1305 can read them as words, padded with zeros.
  std::uint8_t* text = t.text;
  std::uint8_t* const end = text + t.text_bytes;
  std::uint32_t* words = stream.block + 16;
  while (text != end) {
    if (words == stream.block + 16) {
      words = stream.block;
      ++stream.counter;
      if (pass == Pass::encrypt) make_block(stream);
    }
    auto* const bytes = reinterpret_cast<std::uint8_t*>(words);
    for (std::size_t i = 0; i < 16; ++i) {
      std::uint8_t byte = 0;
      if (text != end) {
        byte = pass == Pass::encrypt ? *text ^ bytes[i] : *text;
        *text++ = byte;
      }
      bytes[i] = byte;
    }
    poly.block(words);
    words += 4;
  }
  std::uint32_t* const lengths = stream.block;
  lengths[0] = static_cast<std::uint32_t>(t.associated_bytes);
  lengths[2] = static_cast<std::uint32_t>(t.text_bytes);
  lengths[1] = lengths[3] = 0;
  poly.block(lengths);
  poly.finish(tag);
  wipe_stack();
}

}  // namespace

void aead_seal(const AeadText& text, AeadStream& stream) noexcept {
  authenticate<Pass::encrypt>(stream, text, text.tag);
}

void aead_seal(const AeadText& text) noexcept {
  Stream stream(text);
  aead_seal(text, stream);
}

bool aead_open(const AeadText& text) noexcept {
  Stream stream(text);
  std::uint8_t tag[k_tag_bytes];
  authenticate<Pass::read>(stream, text, tag);
  std::uint32_t differences = 0;
  for (std::size_t i = 0; i < k_tag_bytes; ++i) differences |= std::uint32_t{tag[i]} ^ text.tag[i];
  if (differences == 0) authenticate<Pass::encrypt>(stream, text, tag);  // encrypting twice is decrypting
  wipe(tag, sizeof tag);
  return differences == 0;
}

}  // namespace sotto
