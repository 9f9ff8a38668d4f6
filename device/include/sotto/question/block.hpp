// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/session/question.hpp"

namespace sotto {

/// Recipe signs, for features in {-1, +1}: one record that public coins choose below the nominal rows; r = y - f(<x, theta>) at
/// the round's model, f its link (a class: 1 for a target above 0, else 0, less its probability), clipped to [-B, B] and rounded at random to b = +-1 so that E b = r/B; the signs of b x_j for the features j of a
/// public block (block_coordinates() in sotto/spec/block.hpp). Bit i is set where b x_j < 0 for the block's i-th coordinate; a
/// feature of 0 counts as +1.
/// Parameters recipe::signs: bound B (Q24, at most 64); scope: the block's coordinates are 0 those of the model, in its order, 1 all
/// features. recipe::link_table and pairs: the link's table, where it has one (sotto/question/direction.hpp).
/// A record that the device does not hold is zeros: b is a fair coin.
///
/// Randomizer: block; its width is at most the number of coordinates. Payload: one number.
extern const Question k_block;

}  // namespace sotto
