// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The question `value`: one coordinate of a rotated local vector, as a number.

#include "sotto/session/question.hpp"

namespace sotto {

/// One rotated coordinate of a local vector. The recipes are those of `direction`, with radius 0 and no link table. The
/// vector v of n numbers is padded with zeros to P, the next power of two, and rotated: hadamard(signs * v) / sqrt(P),
/// with signs that all devices and rounds of a study share. Public coins choose the coordinate (sotto/choices.hpp). A
/// device computes that coordinate alone, with an exact sum and one division: relative error 2^-23, absolute 2^-24,
/// saturating at +-128.
///
/// The pairs are ranges (low, high) in Q24, low < high: one for all coordinates, or P of them. The coordinate is
/// clipped to its range, and low..high is mapped to [-1, 1]. A device with nothing to say uses the vector of zeros.
/// Randomizer: window or laplace. Payload: one number.
extern const Question k_value;

}  // namespace sotto
