// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "front.hpp"

// How much better a broadcast model predicts the rows of this device than their own mean does: the answer of devices that
// taught the model nothing.
namespace sotto {

/// Refuses  bad_field: bound, classes or a link that is a table; bad_dimension; short_buffer.
[[nodiscard]] Status check_gain(const Asked& asked) noexcept;

/// The gain, clipped to [-bound, bound], in Q15 units of the bound. With A the sum of (y - mean)^2 and B that of (y - mean - fit)^2
/// it is (A - B) / (A + B). For classes it is the share of rows whose class the model tells, less the share of the
/// larger class. Rows are centred even where the study states offsets: a stated mean that is wrong is easy to beat. A
/// device without rows, or with a constant target, answers 0.
[[nodiscard]] std::int32_t gain_answer(const Asked& asked, const LocalData& local) noexcept;

}  // namespace sotto
