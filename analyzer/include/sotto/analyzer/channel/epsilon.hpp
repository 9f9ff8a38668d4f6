// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Converts epsilon and delta between the numbers that people write and the integers that devices use: nano-nats and
/// units of 2^-64. Conversions round down, so that no device spends more than was written.

#include <string>
#include <string_view>

#include "sotto/analyzer/result.hpp"
#include "sotto/units.hpp"

namespace sotto::analyzer {

/// Converts nats, as written in a study file, to whole nano-nats. A number with up to nine decimals is converted
/// exactly; further decimals are cut off. `where` names the key or option in messages.
/// Refuses   study.bad_epsilon: not a number, infinite, zero or less, below a nano-nat, above 12.
[[nodiscard]] Result<EpsilonNano> epsilon_from_nats(double nats, std::string_view where);

/// Nano-nats as nats, with all their decimals: "2", "0.5", "1.999999996".
[[nodiscard]] std::string nats_text(EpsilonNano epsilon);

/// Converts a probability between 0 and 1 to units of 2^-64, rounded down. A double cannot represent 10^-3 and the like
/// exactly: a value within a relative 10^-12 of a certified delta of the discrete Gaussian is converted to that delta.
/// Refuses   study.bad_delta: not a number, 0 or less, 1 or more, below 2^-64.
[[nodiscard]] Result<DeltaUnits> delta_from_chance(double chance, std::string_view where);

/// The delta as text with three digits: "0", "1e-06".
[[nodiscard]] std::string delta_text(DeltaUnits delta);
/// The delta as a probability.
[[nodiscard]] double delta_chance(DeltaUnits delta) noexcept;

}  // namespace sotto::analyzer
