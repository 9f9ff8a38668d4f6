// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "front.hpp"

// How much better a broadcast model predicts the rows of this device than their own mean does, or than public centres do:
// the answer of devices that taught the model nothing.
namespace sotto {

/// Refuses  bad_field: bound, measure, centres or a link that is a table; bad_dimension.
[[nodiscard]] Status check_gain(Asked& asked) noexcept;

/// What the round's measure asks for, clipped to [-bound, bound], in Q15 units of the bound. A device without rows answers
/// 0; a row whose target is missing does not count.
///
/// Around the device's own mean, which is taken off even where the study states offsets, because a stated mean that is
/// wrong is easy to beat; 0 with a constant target:
///   gain         (A - B) / (A + B) with A the sum of (y - mean)^2 and B that of (y - mean - fit)^2
///   class gain   the share of rows whose class the model tells, less the share of the larger class
///   own right    that share, less the share of the others
/// Of readings as they are stated, with targets y and fits u around public centres, in the mean over rows:
///   better       y^2 - (y - u)^2
///   square, fit  y^2; u
///   right        1 where y and u have the same sign, else -1
[[nodiscard]] std::int32_t gain_answer(const Asked& asked, const LocalData& local) noexcept;

}  // namespace sotto
