// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Parameters of the window randomizer, which reports a scalar in [-1, 1].

#include "sotto/spec/two_level_spec.hpp"

namespace sotto {

/// A scalar in [-1, 1] is rounded at random, without bias, to one of N = K-w+1 levels; the report is one of the w
/// outcomes of that level's window with probability T/2^32, else one of the others. The mean of the outcome is linear
/// in the level, so the decoder is unbiased. K = 2, w = 1 is one-bit rounding.
struct WindowSpec {
  static constexpr Stem k_stem = Stem::window;
  EpsilonNano epsilon = 0;
  std::uint32_t outcomes = 0;  ///< K, 2 .. 128
  std::uint32_t width = 0;     ///< w, 1 .. K-1
  std::uint32_t threshold = 0;
};

inline constexpr std::uint32_t k_window_outcomes_max = 128;

[[nodiscard]] TwoLevel channel(const WindowSpec& spec) noexcept;
Status check_parameters(const WindowSpec& spec) noexcept;
void encode_fields(const WindowSpec& spec, ByteWriter& out) noexcept;

}  // namespace sotto
