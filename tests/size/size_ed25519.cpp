// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto.h"

// A firmware that verifies signatures and does nothing else.
sotto_hooks hooks;
uint8_t public_key[SOTTO_PUBLIC_KEY_BYTES], signature[SOTTO_ED25519_SIGNATURE_BYTES], body[256];

int main() {
  hooks.verify = sotto_ed25519_verify;
  return sotto_ed25519_verify(public_key, body, sizeof body, signature, sizeof signature) ? 0 : 1;
}
