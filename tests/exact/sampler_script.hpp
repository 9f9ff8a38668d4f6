// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "scripted_coins.hpp"

namespace sotto::exact {

/// Words that lead the exact samplers down a chosen path (shared/spec/RANDOMIZERS.md, section 8).
class SamplerScript {
 public:
  [[nodiscard]] const std::vector<std::uint32_t>& words() const { return words_; }

  void word(std::uint32_t w) { words_.push_back(w); }
  void below(std::uint32_t n, std::uint32_t r) { append_below(words_, n, r); }
  /// below64(n) = v; beyond 32 bits with the bits above n's length set: they must be ignored.
  void below64(std::uint64_t n, std::uint64_t v) {
    if (n >> 32 == 0) return below(static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(v));
    std::uint64_t mask = n - 1;
    for (int shift = 1; shift < 64; shift *= 2) mask |= mask >> shift;
    word64(v | ~mask);
  }
  void word64(std::uint64_t w) {
    word(static_cast<std::uint32_t>(w));
    word(static_cast<std::uint32_t>(w >> 32));
  }

  /// exp_fraction(a, b) succeeds for K = 1 .. stop_at - 1 and stops at K = stop_at. Its coins fall on either side of a: success is
  /// a-1, failure is a.
  void exp_fraction(std::uint64_t a, std::uint64_t b, std::uint32_t stop_at) {
    for (std::uint32_t k = 1; k < stop_at; ++k) below64(k * b, a - 1);
    below64(stop_at * b, a);
  }
  /// A coin of probability e^-1.
  void unit(bool outcome) { exp_fraction(1, 1, outcome ? 3 : 2); }
  void units(std::uint64_t successes) {
    for (std::uint64_t i = 0; i < successes; ++i) unit(true);
  }
  /// A draw of discrete_laplace(scale) that gives z at once.
  void laplace(std::uint32_t scale, std::int32_t z) {
    const auto size = static_cast<std::uint32_t>(z < 0 ? -z : z);
    below(scale, size % scale);
    exp_fraction(size % scale, scale, 1);
    units(size / scale);
    unit(false);
    word(z < 0 ? 1 : 0);
  }

 private:
  std::vector<std::uint32_t> words_;
};

}  // namespace sotto::exact
