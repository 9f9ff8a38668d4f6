// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Hard thresholding: keeps the largest coefficients of a vector, in constant time.

#include <cstdint>
#include <span>

namespace sotto {

/// Keeps the `keep` largest magnitudes and sets the others to zero; of equal magnitudes the lower index is kept. Any
/// int32.
/// Cost     34 passes, the same for all numbers: 64 of 1024 in 360 k instructions on Cortex-M4, 430 k on Cortex-M0.
void hard_threshold(const std::span<std::int32_t>& v, std::uint32_t keep) noexcept;

}  // namespace sotto
