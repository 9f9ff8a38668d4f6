// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The hook with which a firmware checks the signatures of manifests and rounds. sotto/ed25519 has an implementation;
/// device/ports/crypto has wrappers of common libraries.

#include <cstddef>
#include <cstdint>
#include <span>

#include "sotto/wire/signed_bytes.hpp"

namespace sotto {

/// Checks the signature of a manifest or a round; false refuses it as bad_signature. It is called before a study is
/// enrolled, a session is opened or a round is answered. Without the hook, the manifest must be linked into the
/// firmware, or it and its rounds must arrive over a channel that the firmware trusts.
struct VerifyHook {
  void* context = nullptr;
  bool (*verify)(void* context, const std::uint8_t* body, std::size_t body_bytes, const std::uint8_t* signature,
                 std::size_t signature_bytes) = nullptr;

  /// The hook's result for a decoded manifest or round; true without a hook.
  [[nodiscard, gnu::noinline]] bool vouches_for(const SignedBytes& bytes) const noexcept {
    return verify == nullptr ||
           verify(context, bytes.body.data(), bytes.body.size(), bytes.signature.data(), bytes.signature.size());
  }
};

}  // namespace sotto
