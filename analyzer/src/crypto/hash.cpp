// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
// The older functions of OpenSSL need no allocation.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "sotto/analyzer/crypto/hash.hpp"

#include <openssl/sha.h>

namespace sotto::analyzer {

Digest fast_sha256(std::span<const std::uint8_t> bytes) noexcept {
  SHA256_CTX state;
  SHA256_Init(&state);
  SHA256_Update(&state, bytes.data(), bytes.size());
  Digest digest;
  SHA256_Final(digest.data(), &state);
  return digest;
}

}  // namespace sotto::analyzer
