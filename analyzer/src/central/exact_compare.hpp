// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>

// Compares a uniform number, of which 64 (or 16 + 64) bits are known, with an exponential: by doubles with their error
// bounds where these decide, by 100 digits and 64 more bits where they do not.
namespace sotto::analyzer::central {

enum class Side { below, above, unclear };

/// Whether (word + ...) / 2^64 is below e^(-a/b), the dots standing for bits not drawn yet.
[[nodiscard]] Side quickly_below_exp(std::uint64_t word, std::uint64_t a, std::uint64_t b);
[[nodiscard]] bool precisely_below_exp(std::uint64_t word, std::uint64_t more, std::uint64_t a, std::uint64_t b);

inline constexpr unsigned k_log2_blocks = 6;  // blocks in a standard deviation

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
