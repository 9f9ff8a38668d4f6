// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The discrete Gaussian randomizer: adds integer noise to a vector, (epsilon, delta)-private. G is the spec's radius,
/// in grid steps.

#include <span>

#include "sotto/certified.hpp"
#include "sotto/coins/private_coins.hpp"
#include "sotto/spec/gaussian.hpp"

namespace sotto {

/// Clips values to the spec's radius and adds discrete Gaussian noise to each, in place; the result is the report.
/// Privacy  (epsilon, delta) at a certified point; the sensitivity is 2G because this function clips to radius G
///          itself. Not constant time: the duration depends on the noise and, for vectors, on the values, so a firmware
///          whose timing can be observed must not use it. Proof: device/proofs/gaussian.md
/// Refuses  an uncertified spec, coins that are not ready, short_buffer: values is not of the spec's dimension.
Status gaussian(const Certified<GaussianSpec>& certified, const std::span<std::int32_t>& values,
                PrivateCoins& coins) noexcept;

}  // namespace sotto
