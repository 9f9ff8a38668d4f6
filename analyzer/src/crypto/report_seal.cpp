// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
// The context of a hash is copied once for every report: that is what the older functions of OpenSSL offer, and the newer
// ones pay for with an allocation.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "begun_hash.hpp"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "sotto/analyzer/crypto/random.hpp"
#include "sotto/bytes.hpp"

namespace sotto::analyzer {
namespace {

static_assert(crypto_aead_chacha20poly1305_ietf_KEYBYTES == k_key_bytes &&
              crypto_aead_chacha20poly1305_ietf_NPUBBYTES == k_nonce_bytes &&
              crypto_aead_chacha20poly1305_ietf_ABYTES == k_tag_bytes && SHA256_DIGEST_LENGTH == k_key_bytes);

constexpr std::size_t k_hash_block_bytes = 64;

/// A hash that has read the key, each byte changed by `pad`, as HMAC wants it (RFC 2104).
SHA256_CTX keyed(const MasterKey& key, std::uint8_t pad) noexcept {
  std::array<std::uint8_t, k_hash_block_bytes> block;
  static_assert(std::tuple_size_v<MasterKey> <= k_hash_block_bytes);
  block.fill(pad);
  for (std::size_t i = 0; i < key.size(); ++i) block[i] ^= key[i];
  SHA256_CTX out;
  SHA256_Init(&out);
  SHA256_Update(&out, block.data(), block.size());
  sodium_memzero(block.data(), block.size());
  return out;
}

}  // namespace

StudyKeys::StudyKeys(const MasterKey& master, const Digest& study)
    : begun_(std::make_unique<Begun>(Begun{keyed(master, 0x36), keyed(master, 0x5c)})) {
  require_sodium();
  SHA256_Update(&begun_->inner, k_key_label.data(), k_key_label.size());
  SHA256_Update(&begun_->inner, study.data(), study.size());
}

StudyKeys::~StudyKeys() { sodium_memzero(begun_.get(), sizeof(Begun)); }

ReportKey StudyKeys::key(std::uint64_t pseudonym) const noexcept {
  Begun state = *begun_;
  std::uint8_t name[8];
  ByteWriter(name).u64(pseudonym);
  ReportKey out;
  SHA256_Update(&state.inner, name, sizeof name);
  SHA256_Final(out.data(), &state.inner);
  SHA256_Update(&state.outer, out.data(), out.size());
  SHA256_Final(out.data(), &state.outer);
  sodium_memzero(&state, sizeof state);
  return out;
}

bool open_sealed(const ReportKey& key, const ReportContext& context, std::span<const std::uint8_t> report,
                 std::span<std::uint8_t> payload) noexcept {
  std::ranges::fill(payload, std::uint8_t{0});
  if (report.size() != k_header_bytes + payload.size() + k_tag_bytes) return false;
  std::array<std::uint8_t, k_nonce_bytes> nonce{};
  std::ranges::copy(report.first(k_nonce_header_bytes), nonce.begin());
  std::array<std::uint8_t, k_associated_label.size() + 2 * sizeof(Digest) + k_header_bytes> associated;
  auto next = std::ranges::copy(k_associated_label, associated.begin()).out;
  next = std::ranges::copy(context.study, next).out;
  next = std::ranges::copy(context.round, next).out;
  std::ranges::copy(report.first(k_header_bytes), next);
  const std::span<const std::uint8_t> sealed = report.subspan(k_header_bytes);
  return crypto_aead_chacha20poly1305_ietf_decrypt(payload.data(), nullptr, nullptr, sealed.data(), sealed.size(),
                                                   associated.data(), associated.size(), nonce.data(), key.data()) == 0;
}

}  // namespace sotto::analyzer
