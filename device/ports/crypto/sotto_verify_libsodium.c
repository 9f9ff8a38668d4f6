/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */
#include <sodium.h>

#include "sotto_verify.h"

bool sotto_verify_libsodium(void* public_key, const uint8_t* body, size_t body_bytes, const uint8_t* signature,
                            size_t signature_bytes) {
  return signature_bytes == crypto_sign_BYTES &&
         crypto_sign_verify_detached(signature, body, body_bytes, (const unsigned char*)public_key) == 0;
}
