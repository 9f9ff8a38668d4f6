// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/hemisphere.hpp"

#include <array>

#include "sotto/analyzer/aggregate/public_bytes.hpp"
#include "sotto/analyzer/channel/spec_check.hpp"
#include "sotto/codeword.hpp"

namespace sotto::analyzer {

namespace {

VectorShape shape_of(const HemisphereSpec& spec) {
  return {HemisphereSpec::k_stem, digest_of(spec), spec.dimension, 7, false};
}

/// Indexed by [report][byte]: the coordinate that a public byte stands for, with the report's sign.
constexpr auto k_signed_coordinate = [] {
  std::array<std::array<std::int8_t, 256>, 2> table{};
  for (int b = 0; b < 256; ++b) {
    const int u = k_nibble_low[b & 15] + k_nibble_high[b >> 4];
    table[0][static_cast<std::size_t>(b)] = static_cast<std::int8_t>(-u);
    table[1][static_cast<std::size_t>(b)] = static_cast<std::int8_t>(u);
  }
  return table;
}();

}  // namespace

void hemisphere_codeword(const HemisphereSpec& spec, const CoinLabel& label, std::uint32_t report,
                         std::int8_t* out) noexcept {
  std::uint8_t bytes[(k_hemisphere_dimension_max + k_bytes_at_once - 1) / k_bytes_at_once * k_bytes_at_once];
  public_bytes(label, CoinPurpose::codewords, 0, (spec.dimension + k_bytes_at_once - 1) / k_bytes_at_once, bytes);
  const std::int8_t* coordinate = k_signed_coordinate[report].data();
  for (std::uint32_t j = 0; j < spec.dimension; ++j) out[j] = coordinate[bytes[j]];
}

Result<HemisphereAggregate> HemisphereAggregate::open(const HemisphereSpec& spec) {
  if (const auto checked = check_spec(spec); !checked) return checked.error();
  return HemisphereAggregate{spec, VectorSums{shape_of(spec)}};
}

bool HemisphereAggregate::absorb(const CoinLabel& label, std::uint32_t report) noexcept {
  if (report > 1 || !sums_.has_room()) {
    sums_.count_refused();
    return false;
  }
  std::int8_t codeword[k_hemisphere_dimension_max];
  hemisphere_codeword(spec_, label, report, codeword);
  sums_.add(codeword);
  return true;
}

Result<HemisphereAggregate> HemisphereAggregate::load(const HemisphereSpec& spec, std::span<const std::uint8_t> bytes) {
  if (const auto checked = check_spec(spec); !checked) return checked.error();
  Result<VectorSums> sums = VectorSums::load(shape_of(spec), bytes);
  if (!sums) return sums.error();
  return HemisphereAggregate{spec, std::move(sums).value()};
}

VectorMean HemisphereAggregate::close() const { return sums_.mean(direction_error(spec_), 1.0); }

}  // namespace sotto::analyzer
