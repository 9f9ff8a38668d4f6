// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/crypto/report_seal.hpp"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "sotto/analyzer/crypto/random.hpp"
#include "sotto/bytes.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::string_view k_key_label = "sotto-key-1", k_associated_label = "sotto-ad-1";
constexpr std::size_t k_nonce_header_bytes = 8;
static_assert(crypto_aead_chacha20poly1305_ietf_KEYBYTES == k_key_bytes &&
              crypto_aead_chacha20poly1305_ietf_NPUBBYTES == k_nonce_bytes &&
              crypto_aead_chacha20poly1305_ietf_ABYTES == k_tag_bytes && crypto_auth_hmacsha256_BYTES == k_key_bytes);

void add(crypto_auth_hmacsha256_state& state, std::span<const std::uint8_t> bytes) noexcept {
  crypto_auth_hmacsha256_update(&state, bytes.data(), bytes.size());
}

}  // namespace

StudyKeys::StudyKeys(const MasterKey& master, const Digest& study) {
  require_sodium();
  crypto_auth_hmacsha256_init(&begun_, master.data(), master.size());
  add(begun_, {reinterpret_cast<const std::uint8_t*>(k_key_label.data()), k_key_label.size()});
  add(begun_, study);
}

StudyKeys::~StudyKeys() { sodium_memzero(&begun_, sizeof begun_); }

ReportKey StudyKeys::key(std::uint64_t pseudonym) const noexcept {
  crypto_auth_hmacsha256_state state = begun_;
  std::uint8_t name[8];
  ByteWriter(name).u64(pseudonym);
  add(state, name);
  ReportKey out;
  crypto_auth_hmacsha256_final(&state, out.data());
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
