// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The question `bin`: which bin a number falls into, or which cell of a grid a record falls into.

#include "sotto/session/question.hpp"

namespace sotto {

/// The bin of one rotated coordinate of a local vector. The coordinate is computed and clipped to its range as for
/// `value` (sotto/question/value.hpp). The range is divided into c equal bins, c the number of categories of the spec;
/// bin b starts at low + b (high-low)/c, and the last one includes high.
/// Randomizer: grr, walsh_hash or hadamard_response. Payload: one number.
extern const Question k_bin;

/// k_bin, and recipe cells for functions of a few features: the cell of a grid in which the features of one record are,
/// with the sign of its target. Public coins choose the record below the nominal rows. Full scale of each of the a
/// features is divided into K equal cells; the target is clipped to [-B, B] and rounded at random to b = +-1 such that
/// E b = y/B. The category is 2 * cell + (b > 0), where the first feature's cell counts 1, the second's K, and so on; c
/// = 2 K^a.
/// Parameters recipe::cells: count K, 2..65536; bound B (Q15, 1..32768); scope: the a features are those of the model
/// (0; its values are ignored) or all (1).
/// A record that the device does not hold counts as zeros: the cell of zeros, and a fair coin.
extern const Question k_bin_cells;

}  // namespace sotto
