// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "lifted.hpp"

// The products of one record, shared by the two questions about moments.
namespace sotto {

[[nodiscard]] constexpr std::uint32_t packed_size(std::uint32_t features) noexcept {  // at most 65535: below 2^32
  return features * (features + 1) / 2 + features;
}

/// The record that answers, and space behind what is kept for its coordinates and their products.
struct PackedRecord {
  ChosenRow chosen;
  std::span<std::int32_t> products, z;  ///< z: Q24, at most 1

  PackedRecord(const Asked& asked, const LocalData& local, std::uint32_t features) noexcept;
  /// Computes all products of the coordinates with each other and with the target, rounded to nearest, and stores them
  /// lifted.
  void keep(const Asked& asked) const noexcept;
};
/// What check_lifted() refuses.
[[nodiscard]] Status check_packed_size(Asked& asked, std::uint32_t features) noexcept;

/// Recipe packed.
[[nodiscard]] Status check_packed(Asked& asked) noexcept;
void prepare_packed(const Asked& asked, const LocalData& local, PrivateCoins&) noexcept;

}  // namespace sotto
