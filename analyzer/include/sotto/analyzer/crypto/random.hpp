// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Randomness of the operating system and wiping of secrets, through libsodium; for keys and pseudonyms that the server
/// issues.

#include <cstdint>
#include <span>

namespace sotto::analyzer {

/// Initialises libsodium; later calls are cheap. Throws std::runtime_error if the system provides no random bytes.
void require_sodium();

/// Fills `out` with random bytes of the operating system.
void random_bytes(std::span<std::uint8_t> out);

/// A random pseudonym for a new device. Never 0, which is reserved for public coins that all devices share.
[[nodiscard]] std::uint64_t random_pseudonym();

/// Overwrites a secret; the compiler does not optimise this away.
void wipe_secret(std::span<std::uint8_t> secret) noexcept;

}  // namespace sotto::analyzer
