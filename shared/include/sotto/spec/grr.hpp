// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Parameters of generalised randomized response, which reports one of c categories.

#include "sotto/spec/two_level_spec.hpp"

namespace sotto {

/// Generalised randomized response: the true category with probability T/2^32, else one of the others, uniformly.
struct GrrSpec {
  static constexpr Stem k_stem = Stem::grr;
  EpsilonNano epsilon = 0;
  std::uint32_t categories = 0;  ///< 2 .. 2^24
  std::uint32_t threshold = 0;
};

inline constexpr std::uint32_t k_categories_max = std::uint32_t{1} << 24;

[[nodiscard]] TwoLevel channel(const GrrSpec& spec) noexcept;
Status check_parameters(const GrrSpec& spec) noexcept;
void encode_fields(const GrrSpec& spec, ByteWriter& out) noexcept;

}  // namespace sotto
