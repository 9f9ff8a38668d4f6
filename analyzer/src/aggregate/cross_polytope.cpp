// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/cross_polytope.hpp"

#include <cmath>

#include "sotto/analyzer/channel/spec_check.hpp"

namespace sotto::analyzer {

namespace {

VectorShape shape_of(const CrossPolytopeSpec& spec) {
  return {CrossPolytopeSpec::k_stem, digest_of(spec), spec.dimension, (3 * spec.log2_size + 1) / 2, true};
}

}  // namespace

Result<CrossPolytopeAggregate> CrossPolytopeAggregate::open(const CrossPolytopeSpec& spec) {
  if (const auto checked = check_spec(spec); !checked) return checked.error();
  return CrossPolytopeAggregate{spec, VectorSums{shape_of(spec)}};
}

bool CrossPolytopeAggregate::absorb(const CoinLabel& label, std::uint32_t report) noexcept {
  if (report >= channel(spec_).outcomes || !sums_.has_room()) {
    sums_.count_refused();
    return false;
  }
  if (spec_.log2_size <= k_narrow_log2_size) {
    alignas(32) std::int16_t codeword[std::size_t{1} << k_narrow_log2_size];
    cross_polytope_codeword(spec_, label, report, codeword);
    sums_.add(codeword);
  } else {
    alignas(32) std::int32_t codeword[std::size_t{1} << 12];
    cross_polytope_codeword(spec_, label, report, codeword);
    sums_.add(codeword);
  }
  return true;
}

Result<CrossPolytopeAggregate> CrossPolytopeAggregate::load(const CrossPolytopeSpec& spec,
                                                            std::span<const std::uint8_t> bytes) {
  if (const auto checked = check_spec(spec); !checked) return checked.error();
  Result<VectorSums> sums = VectorSums::load(shape_of(spec), bytes);
  if (!sums) return sums.error();
  return CrossPolytopeAggregate{spec, std::move(sums).value()};
}

VectorMean CrossPolytopeAggregate::close() const {
  return sums_.mean(direction_error(spec_), std::pow(2.0, -1.5 * spec_.log2_size));
}

}  // namespace sotto::analyzer
