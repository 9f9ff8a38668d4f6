// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/session/question.hpp"

namespace sotto {

/// Recipe packed: products of one record that public coins choose below the nominal rows, over k features: the model's (its values
/// do not count), or all. x_0 x_0, x_0 x_1, .., x_0 x_(k-1), x_1 x_1, .., x_(k-1) x_(k-1), then x_0 y, .., x_(k-1) y, as Q24.
/// Parameters recipe::vector: radius R (Q24, 1..2^31-1); scope: 0 the model's features, 1 all
/// A record that the device does not hold is zeros.
///
/// Randomizer: as `direction`; the spec's dimension is k(k+1)/2 + k + 1. Payload: one number.
extern const Question k_moments;

/// Also recipe packed_fourier: the same products of p random Fourier features of the record (sotto/local/fourier.hpp) in place of its
/// features, for functions that are not linear.
/// Parameters recipe::packed_fourier: radius R (Q24, 1..2^31-1); count p, a multiple of 8, at most 88; inverse_bandwidth 1/h (Q16,
/// 2^10..2^22).
/// The record's target is clipped by nothing but full scale. A record that the device does not hold is zeros, whose features are not.
extern const Question k_moments_fourier;

}  // namespace sotto
