// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/session/question.hpp"

namespace sotto {

/// One rotated coordinate of a vector. The recipes are those of `direction`, with radius 0 and no table of a link. The
/// vector v of n numbers is padded with zeros to P, the next power of two, and rotated: hadamard(signs * v) / sqrt(P), with signs
/// that a study's devices and rounds share; public coins choose the coordinate (sotto/choices.hpp). One device computes its one
/// coordinate alone: exact sum, divided once, to 2^-23 of its size and 2^-24; it saturates at +-128.
///
/// pairs: ranges (low, high) in Q24, low < high: one for all coordinates, or P of them. The coordinate is clipped to its range,
/// and low..high laid on [-1, 1]. Nothing to say is the vector of zeros, and so 0 clipped to its range.
/// Randomizer: window or laplace. Payload: one number.
extern const Question k_value;

}  // namespace sotto
