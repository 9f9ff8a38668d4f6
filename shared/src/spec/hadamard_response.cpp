// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/spec/hadamard_response.hpp"

#include "sotto/spec/grr.hpp"

namespace sotto {

TwoLevel channel(const HadamardResponseSpec& spec) noexcept {
  const std::uint32_t size = std::uint32_t{1} << spec.log2_size;
  return {size, size / 2, spec.threshold};
}

Status check_parameters(const HadamardResponseSpec& spec) noexcept {
  if (spec.categories < 2 || spec.categories > k_categories_max) return Status::bad_dimension;
  if (spec.log2_size < 2 || spec.log2_size > 24) return Status::bad_channel;
  const std::uint32_t most =
      (std::uint32_t{1} << spec.log2_size) - 1;  // Walsh function 0 is constant and serves no category
  return spec.categories <= most ? Status::ok : Status::bad_dimension;
}

void encode_fields(const HadamardResponseSpec& spec, ByteWriter& out) noexcept {
  out.u32(spec.log2_size);
  out.u32(spec.categories);
  out.u32(spec.threshold);
}

}  // namespace sotto
