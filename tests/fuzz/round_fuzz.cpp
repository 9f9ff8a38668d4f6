// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Any bytes as a round: refused, or every field can be read and the encoder gives the same body back.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "sotto/wire/encode.hpp"

namespace {

void must(bool promise) {
  if (!promise) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sotto;
  const std::span<const std::uint8_t> bytes{data, size};
  Round r;
  if (decode_round(bytes, r) != Status::ok) return 0;
  must(r.number >= 1 && static_cast<std::uint8_t>(r.question) >= 1);
  must(r.body.size() + (r.signature.empty() ? 0 : 1 + r.signature.size()) == size);
  for (std::uint32_t i = 1; i < r.model_size; ++i) must(model_entry(r, i - 1).feature < model_entry(r, i).feature);
  std::int64_t sum = 0;
  for (std::uint32_t i = 0; i < r.pair_count; ++i) sum += number_pair(r, i).first;
  must(sum <= std::int64_t{r.pair_count} << 31);
  std::uint8_t again[k_round_max_bytes];
  ByteWriter writer{again};
  encode_round(r, writer);
  must(!writer.overflowed() && std::ranges::equal(writer.written(), r.body));
  return 0;
}
