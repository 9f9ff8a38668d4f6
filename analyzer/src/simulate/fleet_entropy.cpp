// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/simulate/fleet_entropy.hpp"

#include <sys/random.h>

#include <cerrno>

#include "sotto/chacha.hpp"

namespace sotto::analyzer {

namespace {

constexpr std::uint32_t k_block_bytes = 64;
// Separates these streams from every other use of ChaCha in the project.
constexpr std::uint32_t k_nonce[3] = {0x74746f73u, 0x6c662d6fu, 0x00746565u};  // "sotto-fleet"

bool always_ready(void*) { return true; }

bool read_system(void*, std::uint8_t* out, std::size_t n) {
  while (n > 0) {
    const ssize_t got = getrandom(out, n, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    out += got;
    n -= static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace

FleetEntropy::FleetEntropy(std::uint64_t seed, std::uint64_t device) noexcept
    : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32), static_cast<std::uint32_t>(device),
           static_cast<std::uint32_t>(device >> 32)},
      block_{} {}

EntropySource FleetEntropy::source() noexcept { return {this, always_ready, read}; }

bool FleetEntropy::read(void* context, std::uint8_t* out, std::size_t n) {
  auto& self = *static_cast<FleetEntropy*>(context);
  for (std::size_t i = 0; i < n; ++i) {
    if (self.bytes_left_ == 0) {
      chacha_block(self.key_, self.block_number_++, k_nonce, ChachaRounds::private_coins, self.block_);
      self.bytes_left_ = k_block_bytes;
    }
    const std::uint32_t at = k_block_bytes - self.bytes_left_--;
    out[i] = static_cast<std::uint8_t>(self.block_[at / 4] >> (8 * (at % 4)));
  }
  return true;
}

EntropySource system_entropy() noexcept { return {nullptr, always_ready, read_system}; }

}  // namespace sotto::analyzer
