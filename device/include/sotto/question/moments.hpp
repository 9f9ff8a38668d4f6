// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The question `moments`: products of the features and the target of one record, from which the analyzer fits least
/// squares.

#include "sotto/session/question.hpp"

namespace sotto {

/// Recipe packed: the products of k features and the target of one record that public coins choose below the nominal
/// rows. The features are the model's (its values are ignored) or all. The order is x_0 x_0, x_0 x_1, .., x_0 x_(k-1),
/// x_1 x_1, .., x_(k-1) x_(k-1), then x_0 y, .., x_(k-1) y, as Q24.
/// Parameters recipe::vector: radius R (Q24, 1..2^31-1); scope: the model's features (0) or all (1).
/// A record that the device does not hold counts as zeros.
///
/// Randomizer: as `direction`; the spec's dimension is k(k+1)/2 + k + 1. Payload: one number.
extern const Question k_moments;

/// k_moments, and recipe packed_fourier: the same products with p random Fourier features of the record
/// (sotto/local/fourier.hpp) in place of its features, for functions that are not linear.
/// Parameters recipe::packed_fourier: radius R (Q24, 1..2^31-1); count p, a multiple of 8, at most 88;
/// inverse_bandwidth 1/h (Q16, 2^10..2^22).
/// The target is clipped to full scale only. A record that the device does not hold counts as zeros; its Fourier
/// features are not zero.
extern const Question k_moments_fourier;

}  // namespace sotto
