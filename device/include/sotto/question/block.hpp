// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The question `block`: the signs of several features of one record at once, for binary features.

#include "sotto/session/question.hpp"

namespace sotto {

/// Recipe signs, for features in {-1, +1}. Public coins choose one record below the nominal rows. Its residual at the
/// round's model is r = y - f(<x, theta>), f the link; for a logistic link, y is the class (1 for a target above 0,
/// else 0). r is clipped to [-B, B] and rounded at random to b = +-1 such that E b = r/B. The answer is the signs of b
/// x_j for the features j of a public block (block_coordinates() in sotto/spec/block.hpp): bit i is set if b x_j < 0
/// for the i-th coordinate of the block; a feature of 0 counts as +1.
/// Parameters recipe::signs: bound B (Q24, at most 64); scope: the coordinates are the model's features in their order
/// (0) or all features (1). recipe::link_table and the pairs hold the link's table, if it has one
/// (sotto/question/direction.hpp).
/// A record that the device does not hold counts as zeros: b is a fair coin.
///
/// Randomizer: block; its width is at most the number of coordinates. Payload: one number.
extern const Question k_block;

}  // namespace sotto
