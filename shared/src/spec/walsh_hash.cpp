// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/spec/walsh_hash.hpp"

#include "sotto/spec/grr.hpp"
#include "sotto/wide.hpp"

namespace sotto {

std::uint32_t mask_bits(const WalshHashSpec& spec) noexcept { return bit_length(spec.categories - 1); }

TwoLevel channel(const WalshHashSpec& spec) noexcept { return {std::uint32_t{1} << spec.bits, 1, spec.threshold}; }

Status check_parameters(const WalshHashSpec& spec) noexcept {
  if (spec.categories < 2 || spec.categories > k_categories_max) return Status::bad_dimension;
  return spec.bits >= 1 && spec.bits <= k_hash_bits_max ? Status::ok : Status::bad_channel;
}

void encode_fields(const WalshHashSpec& spec, ByteWriter& out) noexcept {
  out.u32(spec.categories);
  out.u32(spec.bits);
  out.u32(spec.threshold);
}

}  // namespace sotto
