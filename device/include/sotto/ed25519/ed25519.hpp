// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Verification of Ed25519 signatures of manifests and rounds, and the verify hook that uses it.

#include <cstddef>
#include <cstdint>
#include <span>

#include "sotto/session/session.hpp"

namespace sotto {

inline constexpr std::size_t k_public_key_bytes = 32, k_ed25519_signature_bytes = 64;
using PublicKey = std::span<const std::uint8_t, k_public_key_bytes>;
using PublicSignature = std::span<const std::uint8_t, k_ed25519_signature_bytes>;

/// Whether `signature` is a valid Ed25519 signature (RFC 8032) of `message` under `public_key`. Strict and
/// cofactorless, with the verdicts of crypto_sign_verify_detached() of libsodium 1.0.18: false for S >= L, for an R or
/// a key that is not the canonical encoding of a point, and for an R or a key of small order, so that a signature
/// cannot be turned into another one of the same message.
///
/// Message, key and signature are public: the duration depends on them.
/// Cost     under 4 KB of flash and 1 KB of stack; instructions in docs/SIGNING.md.
[[nodiscard]] bool ed25519_verify(const std::span<const std::uint8_t>& message, const PublicSignature& signature,
                                  const PublicKey& public_key) noexcept;

/// ed25519_verify() as the function of a verify hook; the context is the 32 bytes of the public key. A signature of
/// another length is invalid.
[[nodiscard]] bool ed25519_verify_with(void* public_key, const std::uint8_t* body, std::size_t body_bytes,
                                       const std::uint8_t* signature, std::size_t signature_bytes) noexcept;

/// A verify hook that accepts only what was signed with the secret of this public key. The 32 bytes must outlive the
/// hook.
[[nodiscard]] inline VerifyHook ed25519_hook(const PublicKey& public_key) noexcept {
  return {const_cast<std::uint8_t*>(public_key.data()), ed25519_verify_with};  // it is only read
}

}  // namespace sotto
