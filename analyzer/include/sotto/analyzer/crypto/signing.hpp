// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Ed25519 signatures (RFC 8032) of studies, with which an issuer vouches for manifests and rounds. Written with
/// libsodium, so that it is an implementation independent of the device's (sotto/ed25519/ed25519.hpp).

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sotto/analyzer/crypto/random.hpp"
#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer {

using SecretSeed = std::array<std::uint8_t, 32>;
using IssuerKey = std::array<std::uint8_t, 32>;  ///< public key of an issuer
using Signature = std::array<std::uint8_t, 64>;

/// The issuer's secret key, wiped on destruction.
class SigningKey {
 public:
  explicit SigningKey(const SecretSeed& seed);
  SigningKey(const SigningKey&) = default;
  SigningKey& operator=(const SigningKey&) = default;
  ~SigningKey() { wipe_secret(secret_); }

  /// Deterministic: equal messages have equal signatures.
  [[nodiscard]] Signature sign(std::span<const std::uint8_t> message) const;
  [[nodiscard]] const IssuerKey& public_key() const noexcept { return public_; }

 private:
  std::array<std::uint8_t, 64> secret_{};
  IssuerKey public_{};
};

/// Verifies a signature, with the same verdict as a device.
[[nodiscard]] bool signature_holds(const IssuerKey& key, std::span<const std::uint8_t> message,
                                   std::span<const std::uint8_t> signature);

/// A body followed by its signature trailer (WIRE.md, section 1).
[[nodiscard]] std::vector<std::uint8_t> with_trailer(std::span<const std::uint8_t> body, const Signature& signature);

}  // namespace sotto::analyzer
