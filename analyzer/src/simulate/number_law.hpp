// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <optional>
#include <string_view>

#include "sotto/analyzer/math/xoshiro.hpp"

// The laws of simulated numbers, with mean 0 and standard deviation 1.
namespace sotto::analyzer {

enum class NumberLaw : std::uint8_t { normal, lognormal, two_modes, spike, uniform, discrete };
[[nodiscard]] std::optional<NumberLaw> parse_number_law(std::string_view word);
[[nodiscard]] double draw(NumberLaw law, Xoshiro& random);
/// Negative binomial with shape 1/2: most devices have none.
[[nodiscard]] std::int32_t draw_count(double mean, Xoshiro& random);

}  // namespace sotto::analyzer
