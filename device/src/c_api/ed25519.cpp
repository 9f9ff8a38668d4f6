// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// sotto_ed25519_verify(), in a file of its own so that only a firmware that names it links it.
#include "sotto/ed25519/ed25519.hpp"

#include "sotto.h"

bool sotto_ed25519_verify(void* public_key, const uint8_t* body, size_t body_bytes, const uint8_t* signature,
                          size_t signature_bytes) {
  return sotto::ed25519_verify_with(public_key, body, body_bytes, signature, signature_bytes);
}
