// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <span>

namespace sotto::analyzer {

/// Makes libsodium ready; cheap when it is. Throws std::runtime_error where the system has no random bytes.
void require_sodium();

/// Random bytes of the operating system, through libsodium.
void random_bytes(std::span<std::uint8_t> out);

/// A pseudonym to issue: random, never 0, which belongs to coins that all devices share.
[[nodiscard]] std::uint64_t random_pseudonym();

/// Overwrites a secret in a way that the compiler keeps.
void wipe_secret(std::span<std::uint8_t> secret) noexcept;

}  // namespace sotto::analyzer
