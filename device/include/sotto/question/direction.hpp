// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The question `direction`: a local vector in a ball, such as coefficients, a gradient or means. Also defines the
/// recipes that `value` and `bin` share with it.

#include "sotto/session/question.hpp"

namespace sotto {

/// A vector g in a ball of public radius. Parameters recipe::vector (sotto/wire/recipe.hpp): radius R (Q24, 1..2^31-1).
/// g is clipped to the ball and lifted to the unit vector (g/R, sqrt(1 - |g|^2/R^2)) (sotto/local/lift.hpp). A device
/// with nothing to say answers g = 0.
///
/// The recipes of `direction`, `value` and `bin`, and their parameters. S are the model's features, theta its values, m
/// the manifest's nominal number of rows. `scope` is 0 for one coordinate for each feature of S, in their order, or 1
/// for all d features. What a recipe does not use must be zero or empty, else bad_field.
///   least_squares  coefficients of y - X_S theta on S, 1 to 32 features. ridge (Q24, a row: 8..2^22)
///   gradient       (1/m) sum of rho_i x_i at theta. residual_bound of rho (Q24, at most 64), scope; round.link. The
///                  table of a link is 2 to 65 pairs (value, slope) in Q24, with the parameters recipe::link_table:
///                  first_point (Q24, two's complement) and log2_step
///   row_gradient   the same for one record, which public coins choose below m (sotto/choices.hpp), not divided by m
///   means          (1/m) sum of (x_i - theta). scope
///   levels         this device's means in stated units, also where it centres its rows (sotto/local/level.hpp): vectors
///                  for `direction`, numbers for `value` and `bin`. measure, target_centre, fit_centre
/// Whatever the vector is, it is pulled into the ball before the randomizer, whose proof takes any vector there.
/// Rows beyond m are ignored; rows that the device does not hold count as zeros; levels divide by those held.
///
/// Randomizer: cross_polytope, sphere_code or hemisphere; the spec's dimension is the answer's size plus one. Payload:
/// one number.
extern const Question k_direction;

}  // namespace sotto
