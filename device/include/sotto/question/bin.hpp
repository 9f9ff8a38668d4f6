// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/session/question.hpp"

namespace sotto {

/// In which bin one rotated coordinate of a vector lies: everything up to the clip is `value` (sotto/question/value.hpp). The range
/// is cut into c equal bins, c the spec's categories; bin b holds low + b (high-low)/c and up, the last one high itself.
/// Randomizer: grr, walsh_hash or hadamard_response. Payload: one number.
extern const Question k_bin;

/// Also recipe cells, for functions of a few features: in which cell of a grid the features of one record lie, the record that public
/// coins choose below the nominal rows, and its target as a sign. Full scale of each of the a features is cut into K equal cells; the
/// target is clipped to [-B, B] and rounded at random to b = +-1 so that E b = y/B. The category is 2 * cell + (b > 0), the first
/// feature's cell counting by one, the second's by K, and so on; c = 2 K^a.
/// Parameters recipe::cells: count K, 2..65536; bound B (Q15, 1..32768); scope: the a features are 0 the model's (its values do not count), 1 all
/// A record that the device does not hold is zeros: the cell of zeros, and a fair coin.
extern const Question k_bin_cells;

}  // namespace sotto
