// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/crypto/random.hpp"

#include <sodium.h>

#include <stdexcept>

namespace sotto::analyzer {

void require_sodium() {
  if (sodium_init() < 0) throw std::runtime_error("libsodium cannot start: the system gives no random bytes");
}

void random_bytes(std::span<std::uint8_t> out) {
  require_sodium();
  randombytes_buf(out.data(), out.size());
}

std::uint64_t random_pseudonym() {
  std::uint64_t pseudonym = 0;
  require_sodium();
  while (pseudonym == 0) randombytes_buf(&pseudonym, sizeof pseudonym);
  return pseudonym;
}

void wipe_secret(std::span<std::uint8_t> secret) noexcept { sodium_memzero(secret.data(), secret.size()); }

}  // namespace sotto::analyzer
