/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */
#include <monocypher-ed25519.h>

#include "sotto_verify.h"

#define SIGNATURE_BYTES 64

bool sotto_verify_monocypher(void* public_key, const uint8_t* body, size_t body_bytes, const uint8_t* signature,
                             size_t signature_bytes) {
  return signature_bytes == SIGNATURE_BYTES &&
         crypto_ed25519_check(signature, (const uint8_t*)public_key, body, body_bytes) == 0;
}
