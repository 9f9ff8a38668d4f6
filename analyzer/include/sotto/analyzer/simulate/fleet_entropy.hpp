// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Reproducible entropy for simulated devices, and the operating system's entropy.

#include <cstdint>

#include "sotto/coins/entropy.hpp"

namespace sotto::analyzer {

/// The entropy of one simulated device: a ChaCha20 stream keyed by (seed, device). The same pair gives the same reports
/// on every machine; different pairs give independent streams. For simulations and audits only: a firmware cannot link
/// it.
class FleetEntropy {
 public:
  explicit FleetEntropy(std::uint64_t seed, std::uint64_t device = 0) noexcept;

  /// Reads continue where the last one stopped. The source points to this object, which must outlive it and must not
  /// move.
  [[nodiscard]] EntropySource source() noexcept;

 private:
  static bool read(void* context, std::uint8_t* out, std::size_t n);
  std::uint32_t key_[8];
  std::uint32_t block_[16];
  std::uint32_t block_number_ = 0;
  std::uint32_t bytes_left_ = 0;
};

/// The operating system's generator (getrandom). Safe to use from several threads at once.
[[nodiscard]] EntropySource system_entropy() noexcept;

}  // namespace sotto::analyzer
