// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "sotto/sha256.hpp"

namespace sotto::analyzer {

// The checksum of saved aggregates (sums and sets of reports): a saved aggregate ends with the SHA-256 of all bytes
// before the checksum.

inline constexpr std::size_t k_checksum_bytes = 32;

[[nodiscard]] inline Digest checksum(std::span<const std::uint8_t> bytes) noexcept {
  Digest digest{};
  sha256(bytes, digest);
  return digest;
}

/// Whether a saved object, of at least 32 bytes, ends with the digest of the bytes before it.
[[nodiscard]] inline bool checksum_fits(std::span<const std::uint8_t> saved) noexcept {
  return std::ranges::equal(checksum(saved.first(saved.size() - k_checksum_bytes)), saved.last(k_checksum_bytes));
}

}  // namespace sotto::analyzer
