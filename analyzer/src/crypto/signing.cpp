// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/crypto/signing.hpp"

#include <sodium.h>

#include <algorithm>

namespace sotto::analyzer {

static_assert(crypto_sign_SEEDBYTES == sizeof(SecretSeed) && crypto_sign_PUBLICKEYBYTES == sizeof(IssuerKey) &&
              crypto_sign_BYTES == sizeof(Signature) && crypto_sign_SECRETKEYBYTES == 64);

SigningKey::SigningKey(const SecretSeed& seed) {
  require_sodium();
  crypto_sign_seed_keypair(public_.data(), secret_.data(), seed.data());
}

Signature SigningKey::sign(std::span<const std::uint8_t> message) const {
  Signature out;
  crypto_sign_detached(out.data(), nullptr, message.data(), message.size(), secret_.data());
  return out;
}

bool signature_holds(const IssuerKey& key, std::span<const std::uint8_t> message,
                     std::span<const std::uint8_t> signature) {
  require_sodium();
  return signature.size() == sizeof(Signature) &&
         crypto_sign_verify_detached(signature.data(), message.data(), message.size(), key.data()) == 0;
}

std::vector<std::uint8_t> with_trailer(std::span<const std::uint8_t> body, const Signature& signature) {
  std::vector<std::uint8_t> out(body.size() + 1 + signature.size());
  auto next = std::ranges::copy(body, out.begin()).out;
  *next++ = static_cast<std::uint8_t>(signature.size());
  std::ranges::copy(signature, next);
  return out;
}

}  // namespace sotto::analyzer
