// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The kinds of questions that a round can ask, and the recipes: the local computations whose results are randomized.

#include <cstdint>

namespace sotto {

/// What a device answers in a round. The numbers are part of the formats: append, never renumber.
enum class QuestionKind : std::uint8_t {
  vote = 1,       ///< which feature matters on this device
  bin = 2,        ///< the bin of one rotated coordinate of a local vector; or a cell of a grid
  block = 3,      ///< signs of a public block of features of one record, times its residual rounded to a sign
  moments = 4,    ///< products xx' and xy of one record, as a direction
  value = 5,      ///< one rotated coordinate of a local vector, clipped to its range; or the gain of a model
  direction = 6,  ///< a local vector in a ball: coefficients, gradient or means
  label = 7,      ///< the target of one record
  sketch = 8,     ///< projection or Fourier features of one record, and its target, with additive noise
  synopsis = 9,   ///< several independently noisy copies of one record, for a smooth loss
  update = 10,    ///< difference of the model after K hard-thresholded local gradient steps
  number = 11,    ///< one integer of the firmware's own: its place in a range, its bin, or its cell between cuts
  top = 12,       ///< bits of a public hash of one item, an id or a string
};
inline constexpr std::uint8_t k_question_last = 12;

/// The local answer that a question's randomizer receives. The numbers are part of the formats.
enum class Recipe : std::uint8_t {
  given = 0,            ///< the firmware's own answer
  screen = 1,           ///< vote: the feature most correlated with the residual of the model
  lasso = 2,            ///< vote: screening, Lasso, then one of the selected features
  scad = 3,             ///< vote: screening, SCAD, then one of the selected features
  largest_mean = 4,     ///< vote: the largest |mean - model|
  least_squares = 5,    ///< vector: least squares of the residual on the model's features
  gradient = 6,         ///< vector: mean gradient at the model, on its features or on all
  row_gradient = 7,     ///< vector: the gradient of one record at the model, on its features or on all
  means = 8,            ///< vector: means minus the model, on its features or on all
  scores = 9,           ///< retired: no question takes it
  steps = 10,           ///< vector: K hard-thresholded steps from the model, all features
  target = 11,          ///< number: the target of one record
  signs = 12,           ///< block: signs of one record's features times its rounded residual
  packed = 13,          ///< vector: products of one record's features and target
  projection = 14,      ///< retired: no question takes it
  hadamard = 15,        ///< vector: projection of one record by a subsampled randomized Hadamard transform
  fourier = 16,         ///< vector: random Fourier features of one record
  copies = 17,          ///< vector: the features of one record, several times
  packed_fourier = 18,  ///< vector: products of one record's random Fourier features and its target
  cells = 19,           ///< bin: the grid cell of one record's features, and its target as a sign
  gain = 20,            ///< value: how much better the model predicts this device's rows than their own mean
  number = 21,          ///< number: one integer, or the mean, largest, last or count of several
  item = 22,            ///< top: the first bits of an item's key, a fragment of it, or both
  levels = 23,          ///< vector or number: this device's mean of the target, and its means of features
};
inline constexpr std::uint8_t k_recipe_last = 23;

}  // namespace sotto
