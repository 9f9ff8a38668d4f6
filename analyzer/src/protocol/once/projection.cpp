// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "projection.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "sotto/local/hadamard_projection.hpp"
#include "sotto/status_name.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::uint32_t k_block_max = 1024;  // 4 KiB of a device's memory

}  // namespace

void ask_projection(std::uint32_t features, std::uint32_t numbers, RoundDraft& draft) {
  draft.recipe = Recipe::hadamard;
  draft.parameter[recipe::sketch::block] =
      std::clamp(std::bit_ceil(std::max(features, numbers)), k_hadamard_block_min, k_block_max);
}

Result<Eigen::MatrixXd> projection_matrix(const Manifest& manifest, const RoundDraft& draft, Eigen::Index p,
                                          Eigen::Index d) {
  const CoinLabel label{manifest.seed, 0, draft.number};
  const std::uint32_t block = draft.parameter[recipe::sketch::block];
  std::vector<std::byte> work(hadamard_project_work_bytes(block));
  std::vector<std::int8_t> signs(static_cast<std::size_t>(p));
  Eigen::MatrixXd phi(p, d);
  const double size = 1 / std::sqrt(static_cast<double>(p));
  for (Eigen::Index j = 0; j < d; ++j) {
    const Status status = hadamard_projection_column(label, block, static_cast<std::uint32_t>(j), work, signs);
    if (status != Status::ok) {
      return Error{"protocol.bad_projection", fmt::format("no device projects like this: {}", status_name(status)),
                   fmt::format("{} features to {} numbers in blocks of {}", d, p, block),
                   "use numbers of at most a block, and a block that is a power of two from 32 to 4096"};
    }
    for (Eigen::Index i = 0; i < p; ++i) phi(i, j) = size * signs[static_cast<std::size_t>(i)];
  }
  return phi;
}

}  // namespace sotto::analyzer
