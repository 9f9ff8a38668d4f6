/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */
#ifndef SOTTO_VERIFY_H
#define SOTTO_VERIFY_H

/* Ed25519 by a library that the firmware has anyway, for sotto_hooks.verify. Compile the one file that you need. The context is the issuer's
 * public key, 32 bytes that are only read. Without such a library: sotto_ed25519_verify in sotto.h. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* sotto_verify_libsodium.c. sodium_init() must have been called. */
bool sotto_verify_libsodium(void* public_key, const uint8_t* body, size_t body_bytes, const uint8_t* signature,
                            size_t signature_bytes);
/* sotto_verify_monocypher.c: Monocypher 3 or 4 with its optional monocypher-ed25519.c (SHA-512; the one without it is another scheme). */
bool sotto_verify_monocypher(void* public_key, const uint8_t* body, size_t body_bytes, const uint8_t* signature,
                             size_t signature_bytes);
/* sotto_verify_psa.c: PSA Crypto 1.1 with PSA_ALG_PURE_EDDSA; psa_crypto_init() must have been called. Mbed TLS has the names and, so far, not
 * the algorithm: there every signature is refused. */
bool sotto_verify_psa(void* public_key, const uint8_t* body, size_t body_bytes, const uint8_t* signature,
                      size_t signature_bytes);

#ifdef __cplusplus
}
#endif

#endif
