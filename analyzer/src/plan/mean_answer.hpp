// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <Eigen/Dense>

#include "local_answer.hpp"

namespace sotto::analyzer {

/// The mean answer of a whole fleet, from that of its stand-ins. By symmetry it lies in the plane of what the truth says
/// of the asked coordinates and of the broadcast model; what a few stand-ins have beyond it is their own chance, which
/// would look like a signal beside the small noise of a large fleet.
[[nodiscard]] Eigen::VectorXd without_chance(const StandIns& devices, const AskedRound& asked,
                                             const Eigen::VectorXd& mean);

}  // namespace sotto::analyzer
