// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The random projection that devices apply to a record before they report it, on the analyzer's side.

#include <Eigen/Core>

#include "sotto/analyzer/protocol/frame/round_draft.hpp"
#include "sotto/wire/manifest.hpp"

namespace sotto::analyzer {

/// Asks for a subsampled randomized Hadamard projection of d features to p numbers. It costs a device a quarter of the
/// time of independent signs, and 4 bytes of memory for each number of a block.
void ask_projection(std::uint32_t features, std::uint32_t numbers, RoundDraft& draft);

/// The projection matrix Phi that devices compute from the study's public coins: p rows, d columns of +-1/sqrt(p).
/// Refuses  protocol.bad_projection: the round's block or numbers, or d, are outside what devices can project.
[[nodiscard]] Result<Eigen::MatrixXd> projection_matrix(const Manifest& manifest, const RoundDraft& draft,
                                                        Eigen::Index p, Eigen::Index d);

}  // namespace sotto::analyzer
