// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "scripted_coins.hpp"

namespace sotto::exact {

/// Words that lead the exact samplers down a chosen path (shared/spec/RANDOMIZERS.md, section 8).
class SamplerScript {
 public:
  /// Of e^-1, after the point, to the base of 2^32; test_sampler_laws.cpp shows that they are.
  static constexpr std::uint32_t k_inverse_e_digits[4] = {0x5e2d58d8, 0xb3bcdf1a, 0xbadec782, 0x9054f90d};

  [[nodiscard]] const std::vector<std::uint32_t>& words() const { return words_; }

  void word(std::uint32_t w) { words_.push_back(w); }
  void below(std::uint32_t n, std::uint32_t r) { append_below(words_, n, r); }
  /// fraction(a, n) meets the number v; beyond 32 bits with the bits above n's length set: they must be ignored.
  void fraction(std::uint64_t a, std::uint64_t n, std::uint64_t v) {
    if (n >> 32 == 0) return below(static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(v));
    const std::uint64_t last = (n - 1) >> 32, high = v >> 32;
    std::uint64_t mask = last;
    for (int shift = 1; shift < 32; shift *= 2) mask |= mask >> shift;
    word(static_cast<std::uint32_t>(high | ~mask));
    if (high == last || (high < last && high == a >> 32)) word(static_cast<std::uint32_t>(v));
  }
  void word64(std::uint64_t w) {
    word(static_cast<std::uint32_t>(w));
    word(static_cast<std::uint32_t>(w >> 32));
  }

  /// exp_fraction(a, b) succeeds for K = 1 .. stop_at - 1 and stops at K = stop_at. Its coins fall on either side of a: success is
  /// a-1, failure is a.
  void exp_fraction(std::uint64_t a, std::uint64_t b, std::uint32_t stop_at) {
    for (std::uint32_t k = 1; k < stop_at; ++k) fraction(a, k * b, a - 1);
    fraction(a, stop_at * b, a);
  }
  /// A coin of probability e^-1: the first `equal` words are its digits, the next lies beside one.
  void unit(bool outcome, std::uint32_t equal = 0) {
    for (std::uint32_t i = 0; i < equal; ++i) word(k_inverse_e_digits[i]);
    word(k_inverse_e_digits[equal] + (outcome ? ~0u : 1u));
  }
  void units(std::uint64_t successes) {
    for (std::uint64_t i = 0; i < successes; ++i) unit(true);
  }
  /// A draw of discrete_laplace(scale) that gives z at once.
  void laplace(std::uint32_t scale, std::int32_t z) {
    const auto size = static_cast<std::uint32_t>(z < 0 ? -z : z);
    below(2 * scale, 2 * (size % scale) + (z < 0 ? 1 : 0));
    exp_fraction(size % scale, scale, 1);
    units(size / scale);
    unit(false);
  }

 private:
  std::vector<std::uint32_t> words_;
};

}  // namespace sotto::exact
