// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>

namespace sotto::analyzer {

/// The best error E|z - x|^2 of one unbiased epsilon-private report of a unit vector, to compare channels with.
/// PrivUnit answers uniformly from a spherical cap around x or from the rest, the cap chosen best (Bhowmick et al.
/// 2018); it is optimal among unbiased reports (Asi, Feldman, Talwar 2022). dimension >= 2.
[[nodiscard]] double priv_unit_error(std::uint32_t dimension, double epsilon);

/// PrivUnitG: the same with a normal vector in place of a point on the sphere. Above PrivUnit; equal as the dimension
/// grows.
[[nodiscard]] double priv_unit_gauss_error(std::uint32_t dimension, double epsilon);

}  // namespace sotto::analyzer
