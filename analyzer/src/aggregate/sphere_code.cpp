// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/sphere_code.hpp"

#include <algorithm>
#include <cmath>

#include "sotto/analyzer/aggregate/public_bytes.hpp"
#include "sotto/analyzer/channel/spec_check.hpp"
#include "sotto/codeword.hpp"

namespace sotto::analyzer {

namespace {

VectorShape shape_of(const SphereCodeSpec& spec) {
  return {SphereCodeSpec::k_stem, digest_of(spec), spec.dimension, k_codeword_bits, true};
}

}  // namespace

void sphere_codeword_q16(const SphereCodeSpec& spec, const CoinLabel& label, std::uint32_t report,
                         std::int32_t* out) noexcept {
  const std::uint32_t first = 2 * report * spec.dimension, block = first / k_public_block_bytes;
  // A codeword has at most 128 bytes, which lie in at most three blocks.
  static_assert(2 * k_sphere_dimension_max + k_public_block_bytes <= k_bytes_at_once);
  std::uint8_t bytes[k_bytes_at_once];
  public_bytes(label, CoinPurpose::codewords, block, 1, bytes);
  const std::uint8_t* at = bytes + (first - block * k_public_block_bytes);

  std::uint32_t square = 0;
  for (std::uint32_t j = 0; j < spec.dimension; ++j) {
    const std::uint8_t a = at[2 * j], b = at[2 * j + 1];
    out[j] = k_nibble_low[a & 15] + k_nibble_high[a >> 4] + k_nibble_low[b & 15] + k_nibble_high[b >> 4];
    square += static_cast<std::uint32_t>(out[j] * out[j]);
  }
  if (square == 0) return;  // out is all zeros already
  // root = 2^20 |u|, below 2^31; inverse = 2^40 / |u|. 212 * 2^40 and the half fit 64 bits.
  static_assert(std::uint64_t{k_sphere_dimension_max} * 212 * 212 < std::uint64_t{1} << 22);
  const std::uint64_t root = root_floor(std::uint64_t{square} << 40), inverse = (std::uint64_t{1} << 60) / root;
  for (std::uint32_t j = 0; j < spec.dimension; ++j) {
    const auto size = static_cast<std::uint64_t>(std::abs(out[j]));
    // The two floors make 1/|u| too large by at most 2^-20; a coordinate of 1 must stay 1.
    const std::uint64_t scaled = std::min((size * inverse + (1u << 23)) >> 24, std::uint64_t{1} << k_codeword_bits);
    out[j] = out[j] < 0 ? -static_cast<std::int32_t>(scaled) : static_cast<std::int32_t>(scaled);
  }
}

Result<SphereCodeAggregate> SphereCodeAggregate::open(const SphereCodeSpec& spec) {
  if (const auto checked = check_spec(spec); !checked) return checked.error();
  return SphereCodeAggregate{spec, VectorSums{shape_of(spec)}};
}

bool SphereCodeAggregate::absorb(const CoinLabel& label, std::uint32_t report) noexcept {
  if (report >= spec_.codewords || !sums_.has_room()) {
    sums_.count_refused();
    return false;
  }
  std::int32_t codeword[k_sphere_dimension_max];
  sphere_codeword_q16(spec_, label, report, codeword);
  sums_.add(codeword);
  return true;
}

Result<SphereCodeAggregate> SphereCodeAggregate::load(const SphereCodeSpec& spec, std::span<const std::uint8_t> bytes) {
  if (const auto checked = check_spec(spec); !checked) return checked.error();
  Result<VectorSums> sums = VectorSums::load(shape_of(spec), bytes);
  if (!sums) return sums.error();
  return SphereCodeAggregate{spec, std::move(sums).value()};
}

VectorMean SphereCodeAggregate::close() const {
  return sums_.mean(direction_error(spec_), std::ldexp(1.0, -static_cast<int>(k_codeword_bits)));
}

}  // namespace sotto::analyzer
