// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>

// Compares a uniform number, of which the first 64 (or 16 + 64) bits are known, with an exponential. Doubles with error
// bounds decide nearly always; where they do not, 64 more bits are drawn and compared in 100-digit arithmetic.
namespace sotto::analyzer::central {

enum class Side { below, above, unclear };

/// Whether a uniform number whose first 64 bits are `word` is below e^(-a/b); `unclear` if the remaining bits decide.
[[nodiscard]] Side quickly_below_exp(std::uint64_t word, std::uint64_t a, std::uint64_t b);
/// The same when the next 64 bits, `more`, are known too.
[[nodiscard]] bool precisely_below_exp(std::uint64_t word, std::uint64_t more, std::uint64_t a, std::uint64_t b);

inline constexpr unsigned k_log2_blocks = 6;  // a standard deviation has 2^6 blocks

/// A proposed absolute value of a Gaussian draw, and the leading 16 bits of the uniform number that decides its
/// acceptance.
struct Acceptance {
  std::uint32_t lead = 0;
  std::uint64_t size = 0;
  unsigned log2_sigma = 0;

  [[nodiscard]] std::size_t block() const { return size >> (log2_sigma - k_log2_blocks); }
};
[[nodiscard]] Side quickly_accepted(const Acceptance& at, std::uint64_t word);
[[nodiscard]] bool precisely_accepted(const Acceptance& at, std::uint64_t word, std::uint64_t more);

}  // namespace sotto::analyzer::central
