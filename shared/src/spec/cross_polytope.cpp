// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/spec/cross_polytope.hpp"

namespace sotto {

namespace {
constexpr std::uint32_t k_log2_size_max = 12;
}

TwoLevel channel(const CrossPolytopeSpec& spec) noexcept {
  return {std::uint32_t{2} << spec.log2_size, spec.closest, spec.threshold};
}

Status check_parameters(const CrossPolytopeSpec& spec) noexcept {
  if (spec.dimension < 2 || spec.dimension > std::uint32_t{1} << k_log2_size_max) return Status::bad_dimension;
  // Below D = 64 three rounds of signs and Hadamard are a poor rotation: a bias of several per cent.
  if (spec.log2_size < 6 || spec.log2_size > k_log2_size_max) return Status::bad_channel;
  const std::uint32_t size = std::uint32_t{1} << spec.log2_size;
  if (spec.dimension > size) return Status::bad_dimension;
  return spec.closest >= 1 && spec.closest <= size ? Status::ok : Status::bad_channel;
}

void encode_fields(const CrossPolytopeSpec& spec, ByteWriter& out) noexcept {
  out.u32(spec.log2_size);
  out.u32(spec.dimension);
  out.u32(spec.closest);
  out.u32(spec.threshold);
}

}  // namespace sotto
