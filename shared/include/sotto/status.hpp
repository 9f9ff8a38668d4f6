// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>

namespace sotto {

/// The one answer of everything that can refuse. A refusal never depends on a private value, and leaves outputs untouched.
/// The numbers are part of the C API and of the test vectors: append, never renumber.
enum class [[nodiscard]] Status : std::uint8_t{
    ok = 0,
    bad_dimension = 1,      ///< a dimension, number of categories or number of features outside the stem's range
    bad_channel = 2,        ///< another parameter outside its range (k, flips, width, bits, codewords, radius)
    bad_epsilon = 3,        ///< epsilon is zero, above 12 nats, or too small for the channel's integers
    over_cap = 4,           ///< epsilon is above what this device's firmware allows
    overspent = 5,          ///< the threshold or variance would spend more than the stated epsilon
    uncertified_point = 6,  ///< (epsilon, delta) is not in the table of certified Gaussian points
    uncertified = 7,        ///< a randomizer was given a spec that certify() never accepted
    entropy_not_ready = 8,  ///< the entropy hook is missing or not ready, or no report was begun
    entropy_fault = 9,      ///< the entropy hook failed, or its bytes failed the health test
    short_buffer = 10,      ///< a span given by the caller is too small
};

}  // namespace sotto
