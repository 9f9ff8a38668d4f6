// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// How far the fitted parameters of a sparse prior may be from the study's guess.

namespace sotto::analyzer {

/// How far the share of variables that matter and the size of a coefficient may be from the study's guess, in factors
/// of two.
inline constexpr int k_share_steps = 3, k_slab_below = -4, k_slab_above = 2;

}  // namespace sotto::analyzer
