// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/session/question.hpp"

namespace sotto {

/// In which bin one rotated coordinate of a vector lies: everything up to the clip is `value` (sotto/question/value.hpp). The range
/// is cut into c equal bins, c the spec's categories; bin b holds low + b (high-low)/c and up, the last one high itself.
/// Randomizer: grr, walsh_hash or hadamard_response. Payload: one number.
extern const Question k_bin;

}  // namespace sotto
