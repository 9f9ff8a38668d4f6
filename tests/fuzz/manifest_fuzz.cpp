// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Any bytes as a manifest: refused, or every field can be read and the encoder gives the same body back.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sotto/wire/encode.hpp"

namespace {

void must(bool promise) {
  if (!promise) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sotto;
  const std::span<const std::uint8_t> bytes{data, size};
  Manifest m;
  if (decode_manifest(bytes, m) != Status::ok) return 0;
  must(m.epsilon >= 1 && m.epsilon <= k_epsilon_max && m.cohorts >= 1 && m.features >= 1 && m.nominal_rows >= 1);
  must(m.body.size() + (m.signature.empty() ? 0 : 1 + m.signature.size()) == size);
  for (std::uint32_t j = 0; j <= m.features; ++j) must(manifest_scale(m, j).shift <= 61);
  for (std::uint64_t pseudonym = 1; pseudonym < 20; ++pseudonym) must(cohort_of(m, pseudonym) < m.cohorts);
  std::vector<std::uint8_t> again(k_manifest_max_bytes);
  ByteWriter writer{again};
  encode_manifest(m, writer);
  must(!writer.overflowed() && std::ranges::equal(writer.written(), m.body));
  return 0;
}
