/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */

/* What the adapter uses of Monocypher's header of this name, with its signature. test_verify_adapters.cpp stands in for the library. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
int crypto_ed25519_check(const uint8_t signature[64], const uint8_t public_key[32], const uint8_t* message,
                         size_t message_size);
#ifdef __cplusplus
}
#endif
