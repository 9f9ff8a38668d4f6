// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/local/sign_projection.hpp"

#include "projection_ops.hpp"

namespace sotto {

namespace {

constexpr std::uint32_t k_group = 4;
// The last word of the stream, for the largest p: far below the coins of the Hadamard projection.
static_assert(std::uint64_t{k_features_max + 3} / k_group * (k_projected_max / 8) * 4 < std::uint64_t{1} << 31);

/// sums[n] is the sum of a group's numbers, with negative sign for those whose bit is set in n. At most 2^17.
void fill_sums(RowReader& reader, std::int32_t sums[1u << k_group]) noexcept {
  sums[0] = 0;
  for (std::uint32_t half = 1; half != 1u << k_group; half *= 2) {
    const std::int32_t v = reader.next();
    for (std::uint32_t n = 0; n < half; ++n) {
      sums[half + n] = sums[n] - v;
      sums[n] += v;
    }
  }
}

}  // namespace

void sign_project(const CoinLabel& label, const Samples& samples, std::uint32_t row,
                  const std::span<std::int32_t>& z_q24) noexcept {
  for (std::int32_t& z : z_q24) z = 0;
  ProjectionInput in{label, CoinPurpose::shared_projection, samples, row};
  for (std::uint32_t first = 0; first < samples.features; first += k_group) {
    std::int32_t sums[1u << k_group];
    fill_sums(in.reader, sums);
    for (std::int32_t *z = z_q24.data(), *const end = z + z_q24.size(); z != end;) {
      std::uint32_t word = in.coins.word();
      for (std::int32_t* const stop = z + 8; z != stop; word >>= 4) *z++ += sums[word & 15u];
    }
  }
  scale_sign_sums(z_q24);
}

}  // namespace sotto
