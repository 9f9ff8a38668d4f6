// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "sotto/sha256.hpp"

namespace sotto::analyzer {

// Saved sums and sets end with the digest of all bytes before it.

inline constexpr std::size_t k_checksum_bytes = 32;

[[nodiscard]] inline Digest checksum(std::span<const std::uint8_t> bytes) noexcept {
  Digest digest{};
  sha256(bytes, digest);
  return digest;
}

/// Do the last bytes of a saved object fit the others? It has at least so many.
[[nodiscard]] inline bool checksum_fits(std::span<const std::uint8_t> saved) noexcept {
  return std::ranges::equal(checksum(saved.first(saved.size() - k_checksum_bytes)), saved.last(k_checksum_bytes));
}

}  // namespace sotto::analyzer
