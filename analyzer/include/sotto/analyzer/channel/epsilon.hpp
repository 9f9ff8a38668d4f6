// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <string>
#include <string_view>

#include "sotto/analyzer/result.hpp"
#include "sotto/units.hpp"

namespace sotto::analyzer {

/// Nats as a person writes them, as whole nano-nats. A number with up to nine decimals is taken exactly; more decimals
/// are cut off, so that nothing spends more than was written. `where` names the key or option in messages.
/// Refuses   study.bad_epsilon: not a number, infinite, zero or less, below a nano-nat, above 12.
[[nodiscard]] Result<EpsilonNano> epsilon_from_nats(double nats, std::string_view where);

/// Nano-nats as nats with as many decimals as they have: "2", "0.5", "1.999999996".
[[nodiscard]] std::string nats_text(EpsilonNano epsilon);

/// A chance above 0 and below 1 as whole 2^-64, cut off, so that nothing spends more than was written. A double holds 10^-3 and its
/// like only nearly: within 10^-12 of a certified delta of the discrete Gaussian, relative, it is that one.
/// Refuses   study.bad_delta: not a number, 0 or less, 1 or more, below 2^-64.
[[nodiscard]] Result<DeltaUnits> delta_from_chance(double chance, std::string_view where);

/// "0", "1e-06": three digits.
[[nodiscard]] std::string delta_text(DeltaUnits delta);
/// As a chance.
[[nodiscard]] double delta_chance(DeltaUnits delta) noexcept;

}  // namespace sotto::analyzer
