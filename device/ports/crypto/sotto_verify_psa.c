/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */
#include <psa/crypto.h>

#include "sotto_verify.h"

#define PUBLIC_KEY_BYTES 32
#define SIGNATURE_BYTES 64

bool sotto_verify_psa(void* public_key, const uint8_t* body, size_t body_bytes, const uint8_t* signature,
                      size_t signature_bytes) {
  psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
  psa_key_id_t key = PSA_KEY_ID_NULL;
  bool good;
  if (signature_bytes != SIGNATURE_BYTES) return false;
  psa_set_key_type(&attributes, PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_TWISTED_EDWARDS));
  psa_set_key_bits(&attributes, 255);
  psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_VERIFY_MESSAGE);
  psa_set_key_algorithm(&attributes, PSA_ALG_PURE_EDDSA);
  if (psa_import_key(&attributes, (const uint8_t*)public_key, PUBLIC_KEY_BYTES, &key) != PSA_SUCCESS) return false;
  good = psa_verify_message(key, PSA_ALG_PURE_EDDSA, body, body_bytes, signature, signature_bytes) == PSA_SUCCESS;
  /* A slot that is not given back is lost until the next start. */
  return psa_destroy_key(key) == PSA_SUCCESS && good;
}
