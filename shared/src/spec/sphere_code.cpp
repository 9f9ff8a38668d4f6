// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/spec/sphere_code.hpp"

namespace sotto {

TwoLevel channel(const SphereCodeSpec& spec) noexcept { return {spec.codewords, spec.closest, spec.threshold}; }

Status check_parameters(const SphereCodeSpec& spec) noexcept {
  if (spec.dimension < 2 || spec.dimension > k_sphere_dimension_max) return Status::bad_dimension;
  const bool fits =
      spec.codewords >= 2 && spec.codewords <= k_codewords_max && spec.closest >= 1 && spec.closest < spec.codewords;
  return fits ? Status::ok : Status::bad_channel;
}

void encode_fields(const SphereCodeSpec& spec, ByteWriter& out) noexcept {
  out.u32(spec.dimension);
  out.u32(spec.codewords);
  out.u32(spec.closest);
  out.u32(spec.threshold);
}

}  // namespace sotto
