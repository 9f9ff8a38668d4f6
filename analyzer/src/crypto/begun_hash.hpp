// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <openssl/sha.h>

#include <string_view>

#include "sotto/analyzer/crypto/report_seal.hpp"

// What the derivation of all keys of a study has in common.
namespace sotto::analyzer {

inline constexpr std::string_view k_key_label = "sotto-key-1", k_associated_label = "sotto-ad-1";
inline constexpr std::size_t k_nonce_header_bytes = 8;

/// The two hashes of HMAC (RFC 2104), each after its block of the master key. The inner one has read label and study
/// too, which wait in its buffer for the pseudonym.
struct StudyKeys::Begun {
  SHA256_CTX inner, outer;
};

}  // namespace sotto::analyzer
