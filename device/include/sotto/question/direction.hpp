// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/session/question.hpp"

namespace sotto {

/// A vector in a ball of public radius: coefficients, gradients, means or scores. Its parameters are recipe::vector (sotto/wire/recipe.hpp):
/// radius R (Q24, 1..2^31-1); the answer g is pulled into the ball and lifted, (g/R, sqrt(1 - |g|^2/R^2)), as in sotto/local/lift.hpp. Nothing to say is g = 0.
///
/// The recipes of `direction`, `value` and `bin`, and what they take from the round. S are the model's features, theta its
/// values; "scope" is 0 for one coordinate for each feature of S, in their order, and 1 for all d features. What a recipe does not
/// take is zero or empty, else bad_field. m is the manifest's nominal number of rows.
///   least_squares  coefficients of y - X_S theta on S, 1 to 32 features. ridge (Q24, a row: 8..2^22)
///   gradient       (1/m) sum of rho_i x_i at theta. residual_bound of rho (Q24, at most 64), scope; round.link. A table of a link
///                  is pairs (value, slope) in Q24, 2 to 65; recipe::link_table: first_point (Q24, two's complement), log2_step
///   row_gradient   the same for one record, m = 1, that public coins choose below m (sotto/choices.hpp)
///   means          (1/m) sum of (x_i - theta). scope
///   scores         s_j^3 / |s^3| of all d features; a model takes its fit off the target first
/// Rows beyond m are left out, rows that the device does not hold count as zeros.
///
/// Randomizer: cross_polytope, sphere_code or hemisphere; the spec's dimension is the answer's size plus one. Payload: one number.
extern const Question k_direction;

}  // namespace sotto
