// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace sotto {

/// Who vouches for a manifest or a round: false refuses it as bad_signature. Asked before a study is enrolled, before a session
/// is opened and before a round is answered. Without the hook the firmware must have linked the manifest in, or received it and
/// its rounds over a channel that it trusts.
struct VerifyHook {
  void* context = nullptr;
  bool (*verify)(void* context, const std::uint8_t* body, std::size_t body_bytes, const std::uint8_t* signature,
                 std::size_t signature_bytes) = nullptr;

  /// What the hook says of a decoded manifest or round; yes without one.
  [[nodiscard, gnu::noinline]] bool vouches_for(const std::span<const std::uint8_t>& body,
                                                const std::span<const std::uint8_t>& signature) const noexcept {
    return verify == nullptr || verify(context, body.data(), body.size(), signature.data(), signature.size());
  }
};

}  // namespace sotto
