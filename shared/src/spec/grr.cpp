// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/spec/grr.hpp"

namespace sotto {

TwoLevel channel(const GrrSpec& spec) noexcept { return {spec.categories, 1, spec.threshold}; }

Status check_parameters(const GrrSpec& spec) noexcept {
  return spec.categories >= 2 && spec.categories <= k_categories_max ? Status::ok : Status::bad_dimension;
}

void encode_fields(const GrrSpec& spec, ByteWriter& out) noexcept {
  out.u32(spec.categories);
  out.u32(spec.threshold);
}

}  // namespace sotto
