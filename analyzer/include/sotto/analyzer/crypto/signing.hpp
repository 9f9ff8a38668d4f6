// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sotto/analyzer/crypto/random.hpp"
#include "sotto/analyzer/result.hpp"

// Who vouches for studies: Ed25519 (RFC 8032) by libsodium, another implementation than the one on devices (sotto/ed25519/ed25519.hpp).
namespace sotto::analyzer {

using SecretSeed = std::array<std::uint8_t, 32>;
using IssuerKey = std::array<std::uint8_t, 32>;  ///< public
using Signature = std::array<std::uint8_t, 64>;

/// The issuer's secret, wiped when it goes.
class SigningKey {
 public:
  explicit SigningKey(const SecretSeed& seed);
  SigningKey(const SigningKey&) = default;
  SigningKey& operator=(const SigningKey&) = default;
  ~SigningKey() { wipe_secret(secret_); }

  /// The same for the same bytes.
  [[nodiscard]] Signature sign(std::span<const std::uint8_t> message) const;
  [[nodiscard]] const IssuerKey& public_key() const noexcept { return public_; }

 private:
  std::array<std::uint8_t, 64> secret_{};
  IssuerKey public_{};
};

/// The verdict that a device gives.
[[nodiscard]] bool signature_holds(const IssuerKey& key, std::span<const std::uint8_t> message,
                                   std::span<const std::uint8_t> signature);

/// A body with its trailer (WIRE.md, section 1).
[[nodiscard]] std::vector<std::uint8_t> with_trailer(std::span<const std::uint8_t> body, const Signature& signature);

}  // namespace sotto::analyzer
