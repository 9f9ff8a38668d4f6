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
  std::uint32_t outcomes = 0;   ///< K, 2 .. 128
  std::uint32_t width = 0;      ///< w, 1 .. K-1
  std::uint32_t threshold = 0;  ///< T; derive() sets the largest one that epsilon allows
};

inline constexpr std::uint32_t k_window_outcomes_max = 128;

/// The two-level channel (sotto/two_level.hpp) of a spec that passed check_parameters().
[[nodiscard]] TwoLevel channel(const WindowSpec& spec) noexcept;
/// Refuses  bad_channel: a parameter outside its range.
Status check_parameters(const WindowSpec& spec) noexcept;
/// Appends the spec's integers except epsilon, for spec_digest().
void encode_fields(const WindowSpec& spec, ByteWriter& out) noexcept;

}  // namespace sotto
