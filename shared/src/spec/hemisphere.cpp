// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/spec/hemisphere.hpp"

namespace sotto {

TwoLevel channel(const HemisphereSpec& spec) noexcept { return {2, 1, spec.threshold}; }

Status check_parameters(const HemisphereSpec& spec) noexcept {
  return spec.dimension >= 2 && spec.dimension <= k_hemisphere_dimension_max ? Status::ok : Status::bad_dimension;
}

void encode_fields(const HemisphereSpec& spec, ByteWriter& out) noexcept {
  out.u32(spec.dimension);
  out.u32(spec.threshold);
}

}  // namespace sotto
