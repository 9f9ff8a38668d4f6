// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/ed25519/ed25519.hpp"

#include "point.hpp"
#include "sotto/bytes.hpp"
#include "sotto/ed25519/sha512.hpp"

namespace sotto {

namespace {

using Scalar = std::uint32_t[k_field_words];

/// Subtracts L if the scalar is at least L; returns whether it was.
bool take_order_off(Scalar& scalar) noexcept {
  Scalar less;
  std::int64_t rest = 0;
  for (int i = 0; i < k_field_words; ++i) {
    rest += std::int64_t{scalar[i]} - k_order[i];
    less[i] = static_cast<std::uint32_t>(rest);
    rest >>= 32;
  }
  if (rest < 0) return false;
  __builtin_memcpy(scalar, less, sizeof less);
  return true;
}

/// SHA-512(R || A || message) modulo L, bit by bit: 50,000 instructions, but no code for a long division.
[[gnu::noinline]] void challenge(const std::span<const std::uint8_t>& message, const std::uint8_t* r,
                                 const std::uint8_t* key, Scalar& out) noexcept {
  std::uint8_t digest[k_sha512_bytes];
  Sha512 hash;
  hash.add({r, k_public_key_bytes});
  hash.add({key, k_public_key_bytes});
  hash.add(message);
  hash.finish(digest);
  for (std::uint32_t& word : out) word = 0;
  for (unsigned bit = 8 * k_sha512_bytes; bit-- > 0;) {
    std::uint32_t carry = std::uint32_t{digest[bit / 8]} >> bit % 8 & 1u;
    for (std::uint32_t& word : out) {  // below L < 2^253: nothing is lost at the top
      const std::uint32_t top = word >> 31;
      word = word << 1 | carry;
      carry = top;
    }
    take_order_off(out);
  }
}

/// Whether R = s*generator - h*key; both scalars are below L. A separate function, so that its points and the words of
/// the hash are not on the stack at the same time.
[[gnu::noinline]] bool holds(const Scalar& s, const Scalar& h, const std::uint8_t* r,
                             const std::uint8_t* key) noexcept {
  Point minus_key, sum, result;
  if (!point_decode_negative(key, minus_key)) return false;
  sum = minus_key;
  if (point_spent_has_small_order(sum)) return false;
  sum = minus_key;
  point_add(sum, k_generator);
  const Point* const added[3] = {&k_generator, &minus_key, &sum};
  result = k_identity;
  for (unsigned bit = 253; bit-- > 0;) {
    point_add(result, result);
    const unsigned which = (s[bit / 32] >> bit % 32 & 1u) + 2 * (h[bit / 32] >> bit % 32 & 1u);
    if (which != 0) point_add(result, *added[which - 1]);
  }
  // R is compared as bytes, so that no second encoding of the same point is accepted.
  return point_encodes_to(result, r) && !point_spent_has_small_order(result);
}

}  // namespace

bool ed25519_verify(const std::span<const std::uint8_t>& message, const PublicSignature& signature,
                    const PublicKey& public_key) noexcept {
  Scalar s, h;
  for (int i = 0; i < k_field_words; ++i) s[i] = load_u32(signature.data() + 32 + 4 * i);
  if (take_order_off(s)) return false;
  challenge(message, signature.data(), public_key.data(), h);
  return holds(s, h, signature.data(), public_key.data());
}

bool ed25519_verify_with(void* public_key, const std::uint8_t* body, std::size_t body_bytes,
                         const std::uint8_t* signature, std::size_t signature_bytes) noexcept {
  if (signature_bytes != k_ed25519_signature_bytes) return false;
  return ed25519_verify({body, body_bytes}, PublicSignature(signature, signature_bytes),
                        PublicKey(static_cast<const std::uint8_t*>(public_key), k_public_key_bytes));
}

}  // namespace sotto
