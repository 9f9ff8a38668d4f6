// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <Eigen/Core>

#include "sotto/analyzer/protocol/frame/round_draft.hpp"
#include "sotto/wire/manifest.hpp"

namespace sotto::analyzer {

/// Asks for a subsampled randomized Hadamard projection of d features to p numbers: a quarter of what independent signs cost a device,
/// in 4 bytes of memory for each number of a block.
void ask_projection(std::uint32_t features, std::uint32_t numbers, RoundDraft& draft);

/// Phi as devices made it, from the study's coins: p rows, d columns of +-1/sqrt(p).
[[nodiscard]] Eigen::MatrixXd projection_matrix(const Manifest& manifest, const RoundDraft& draft, Eigen::Index p,
                                                Eigen::Index d);

}  // namespace sotto::analyzer
