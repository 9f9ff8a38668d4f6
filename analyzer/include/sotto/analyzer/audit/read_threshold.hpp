// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Reads from a compiled device below which integer a coin keeps the answer: by bisection over planted coins, through the
/// session that a firmware runs. Freestanding.

#include <cstdint>

#include "sotto/analyzer/audit/audited_device.hpp"

namespace sotto::analyzer::audit {

/// What was read.
struct ReadThreshold {
  std::uint64_t threshold = 0;
  bool is_step = false;  ///< coins on either side were tried, and only the threshold decides
};

/// Entropy that begins anew at each question, so that a prepared answer is the same each time.
class SteadyEntropy {
 public:
  [[nodiscard]] EntropySource source() noexcept {
    return {this, [](void*) { return true; }, read};
  }
  void restart() noexcept { state_ = 0x534f54544fu; }

 private:
  static bool read(void* context, std::uint8_t* out, std::size_t n) {
    std::uint64_t& state = static_cast<SteadyEntropy*>(context)->state_;
    for (std::size_t i = 0; i < n; ++i) {
      state ^= state << 13;
      state ^= state >> 7;
      state ^= state << 17;
      out[i] = static_cast<std::uint8_t>(state >> 24);
    }
    return true;
  }
  std::uint64_t state_ = 0x534f54544fu;
};

/// A device whose coins are planted.
class ThresholdReader {
 public:
  /// The device must have been begun with this entropy.
  ThresholdReader(AuditedDevice& device, SteadyEntropy& entropy) noexcept : device_(device), entropy_(entropy) {}

  /// Of the coin at words `at` and, if it is wide, `at` + 1 (the low word first). Before a coin of 32 bits there may be
  /// words that round the answer, on which a report of these data sets does not depend.
  /// Refuses  with a threshold of 0 that is no step: a report that depends on no coin, or that is refused.
  [[nodiscard]] ReadThreshold read(std::uint32_t at, bool is_wide) noexcept {
    constexpr std::uint32_t k_before = 3;
    const std::uint32_t last = is_wide ? at : at + k_before;
    for (; at < last && ask(at, is_wide, 0); ++at) {
      keep();
      if (!keeps(at, is_wide, 0xffffffffu)) break;
    }
    return read_at(at, is_wide);
  }

 private:
  void keep() noexcept {
    size_ = static_cast<std::uint32_t>(device_.report().size());
    for (std::uint32_t i = 0; i < size_; ++i) kept_[i] = device_.report()[i];
  }
  ReadThreshold read_at(std::uint32_t at, bool is_wide) noexcept {
    const std::uint64_t most = is_wide ? ~std::uint64_t{0} : 0xffffffffu;
    if (!ask(at, is_wide, 0)) return {};
    keep();
    if (keeps(at, is_wide, most)) return {};
    for (std::uint32_t i = 0; i < size_; ++i) other_[i] = device_.report()[i];
    std::uint64_t low = 0, high = most;  // keeps at low, not at high
    while (high - low > 1) {
      const std::uint64_t middle = low + (high - low) / 2;
      (keeps(at, is_wide, middle) ? low : high) = middle;
    }
    ReadThreshold out{high, true};
    constexpr std::uint32_t k_tried = 24;
    std::uint64_t spread = 0x9e3779b97f4a7c15u;
    for (std::uint32_t i = 0; i < k_tried && out.is_step; ++i, spread = spread * 6364136223846793005u + 1) {
      const std::uint64_t coin = is_wide ? spread : spread >> 32;
      out.is_step = keeps(at, is_wide, coin) == (coin < high) && (coin < high || is_other());
    }
    return out;
  }
  bool ask(std::uint32_t at, bool is_wide, std::uint64_t coin) noexcept {
    std::uint32_t words[8] = {};
    for (std::uint32_t i = 0; i < 8; ++i) words[i] = 0x2545f491u * (2 * i + 1);
    words[at] = static_cast<std::uint32_t>(coin);
    if (is_wide) words[at + 1] = static_cast<std::uint32_t>(coin >> 32);
    device_.restart();
    entropy_.restart();
    if (device_.prepare(1, true) != Status::ok) return false;
    device_.plant(words);
    return device_.send() == Status::ok;
  }
  [[nodiscard]] bool is_same(const std::uint8_t* as) const noexcept {
    for (std::uint32_t i = 0; i < size_; ++i) {
      if (device_.report()[i] != as[i]) return false;
    }
    return true;
  }
  [[nodiscard]] bool is_other() const noexcept { return is_same(other_); }
  bool keeps(std::uint32_t at, bool is_wide, std::uint64_t coin) noexcept {
    return ask(at, is_wide, coin) && is_same(kept_);
  }

  AuditedDevice& device_;
  SteadyEntropy& entropy_;
  std::uint32_t size_ = 0;
  std::uint8_t kept_[AuditedDevice::k_report_bytes] = {}, other_[AuditedDevice::k_report_bytes] = {};
};

}  // namespace sotto::analyzer::audit
