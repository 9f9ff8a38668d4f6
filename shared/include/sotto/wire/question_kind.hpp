// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>

namespace sotto {

/// What a device answers in a round. The numbers travel: append, never renumber.
enum class QuestionKind : std::uint8_t {
  vote = 1,       ///< which variable matters here
  bin = 2,        ///< the bin of one rotated coordinate of the local estimate
  block = 3,      ///< a public block of signs of one record times the rounded residual
  moments = 4,    ///< packed xx', xy of a record, lifted, as a direction
  value = 5,      ///< one rotated coordinate, clipped to its range
  direction = 6,  ///< a vector in a ball: coefficients, gradients, means, scores
  label = 7,      ///< the target alone
  sketch = 8,     ///< projection or Fourier features and the target, with additive noise
  synopsis = 9,   ///< fresh noisy copies for a smooth model
  update = 10,    ///< K hard-thresholded local steps, clipped difference
};
inline constexpr std::uint8_t k_question_last = 10;

/// The local answer from which a question's randomizer starts.
enum class Recipe : std::uint8_t {
  given = 0,            ///< the firmware's own answer
  screen = 1,           ///< vote: the strongest by screening, on the residual of the model
  lasso = 2,            ///< vote: screening, Lasso, pick
  scad = 3,             ///< vote: screening, SCAD, pick
  largest_mean = 4,     ///< vote: the largest |mean - model|
  least_squares = 5,    ///< vector: least squares of the residual on the model's features
  gradient = 6,         ///< vector: mean gradient at the model, on its features or on all
  row_gradient = 7,     ///< vector: the gradient of one record at the model, on its features or on all
  means = 8,            ///< vector: means less the model, on its features or on all
  scores = 9,           ///< vector: cubes of the normalised scores, all features
  steps = 10,           ///< vector: K hard-thresholded steps from the model, all features
  target = 11,          ///< number: the target of one record
  signs = 12,           ///< block: signs of one record's features times its rounded residual
  packed = 13,          ///< vector: products of one record's features and target
  projection = 14,      ///< vector: random signs
  hadamard = 15,        ///< vector: subsampled randomized Hadamard
  fourier = 16,         ///< vector: random Fourier features
  copies = 17,          ///< vector: the features of one record, several times
  packed_fourier = 18,  ///< vector: products of one record's random Fourier features and its target
  cells = 19,           ///< bin: the grid cell of one record's features, and its target as a sign
};
inline constexpr std::uint8_t k_recipe_last = 19;

}  // namespace sotto
