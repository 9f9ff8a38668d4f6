// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The question `number`: one integer that the firmware gives, for means, histograms, quantiles, counts and events.

#include "sotto/session/question.hpp"

namespace sotto {

/// Recipe number: the one integer of LocalData::numbers, or what the round's rule makes of the readings of a hook: the
/// last one, the mean, the largest, or how many there are. Only the first m readings count, m the nominal rows, so that
/// no sum exceeds 2^10 * 2^31. A reading of -2^31 is none; a device without readings answers with the round's `missing`,
/// and with 0 where it counts. So a device with nothing to say sends a report like any other.
/// Parameters recipe::number: rule, missing.
/// Pairs: one range (low, high), of which the integer's place (stems of `value`) or bin (stems of `bin`) is reported
/// after it was clipped; or ascending cut points (cut, 0), and the cell of the integer is the number of cuts that it
/// reaches.
///
/// Randomizer: window or laplace for the place; grr, walsh_hash or hadamard_response for the bin or cell. Payload: one
/// number.
extern const Question k_number;

}  // namespace sotto
