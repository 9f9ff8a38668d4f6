// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The error of PrivUnit, the optimal unbiased private report of a unit vector. The direction randomizers are compared
/// with it.

#include <cstdint>

namespace sotto::analyzer {

/// The smallest mean squared error E|z - x|^2 of one unbiased epsilon-private report of a unit vector x. PrivUnit
/// answers uniformly from a spherical cap around x or from its complement, with the best cap (Bhowmick et al. 2018); it
/// is optimal among unbiased reports (Asi, Feldman, Talwar 2022). dimension >= 2.
[[nodiscard]] double priv_unit_error(std::uint32_t dimension, double epsilon);

/// PrivUnitG: the same with a normal vector in place of a point on the sphere. Its error is above PrivUnit's and
/// approaches it as the dimension grows.
[[nodiscard]] double priv_unit_gauss_error(std::uint32_t dimension, double epsilon);

}  // namespace sotto::analyzer
