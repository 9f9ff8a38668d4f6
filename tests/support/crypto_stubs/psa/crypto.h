/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */

/* What the adapter uses of PSA Crypto 1.1, with its types, values and signatures. test_verify_adapters.cpp stands in for the library. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef int32_t psa_status_t;
typedef uint16_t psa_key_type_t;
typedef uint8_t psa_ecc_family_t;
typedef uint32_t psa_key_usage_t;
typedef uint32_t psa_algorithm_t;
typedef uint32_t psa_key_id_t;
typedef struct {
  psa_key_type_t type;
  size_t bits;
  psa_key_usage_t usage;
  psa_algorithm_t algorithm;
} psa_key_attributes_t;

#define PSA_SUCCESS ((psa_status_t)0)
#define PSA_ERROR_NOT_SUPPORTED ((psa_status_t)-134)
#define PSA_ERROR_INVALID_SIGNATURE ((psa_status_t)-149)
#define PSA_KEY_ID_NULL ((psa_key_id_t)0)
#define PSA_KEY_ATTRIBUTES_INIT \
  { 0, 0, 0, 0 }
#define PSA_ECC_FAMILY_TWISTED_EDWARDS ((psa_ecc_family_t)0x42)
#define PSA_KEY_TYPE_ECC_PUBLIC_KEY(curve) ((psa_key_type_t)(0x4100 | (curve)))
#define PSA_KEY_USAGE_VERIFY_MESSAGE ((psa_key_usage_t)0x00000800)
#define PSA_ALG_PURE_EDDSA ((psa_algorithm_t)0x06000800)

static inline void psa_set_key_type(psa_key_attributes_t* attributes, psa_key_type_t type) { attributes->type = type; }
static inline void psa_set_key_bits(psa_key_attributes_t* attributes, size_t bits) { attributes->bits = bits; }
static inline void psa_set_key_usage_flags(psa_key_attributes_t* attributes, psa_key_usage_t usage) {
  attributes->usage = usage;
}
static inline void psa_set_key_algorithm(psa_key_attributes_t* attributes, psa_algorithm_t algorithm) {
  attributes->algorithm = algorithm;
}
psa_status_t psa_import_key(const psa_key_attributes_t* attributes, const uint8_t* data, size_t data_length,
                            psa_key_id_t* key);
psa_status_t psa_verify_message(psa_key_id_t key, psa_algorithm_t alg, const uint8_t* input, size_t input_length,
                                const uint8_t* signature, size_t signature_length);
psa_status_t psa_destroy_key(psa_key_id_t key);

#ifdef __cplusplus
}
#endif
