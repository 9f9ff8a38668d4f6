// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/wire/encode.hpp"

#include "fields.hpp"

namespace sotto {

void encode_scale(const ReadingScale& scale, std::span<std::uint8_t, k_scale_bytes> out) noexcept {
  ByteWriter writer{out};
  writer.u64(static_cast<std::uint64_t>(scale.offset));
  writer.u32(static_cast<std::uint32_t>(scale.multiplier));
  writer.u8(static_cast<std::uint8_t>(scale.shift));
}

void encode_manifest(const Manifest& m, ByteWriter& out) noexcept {
  out.u32(k_manifest_magic);
  out.u8(k_wire_version);
  out.u8(static_cast<std::uint8_t>((m.authenticated ? 1 : 0) | (m.one_scale ? 2 : 0) |
                                   static_cast<unsigned>(m.units) << 2));
  out.u8(static_cast<std::uint8_t>(m.unit));
  out.u8(static_cast<std::uint8_t>(m.cohorts));
  out.u16(static_cast<std::uint16_t>(m.features));
  out.u16(static_cast<std::uint16_t>(m.nominal_rows));
  out.u16(static_cast<std::uint16_t>(m.answers));
  out.u16(static_cast<std::uint16_t>(m.unit_q15));
  out.u64(m.epsilon);
  out.u64(m.delta);
  out.u16(m.questions);
  out.u16(0);
  out.bytes({m.collector, 16});
  out.bytes({m.seed, 32});
  out.bytes({m.weights, 2 * std::size_t{m.cohorts}});
  out.bytes({m.scales, k_scale_bytes * scale_count(m)});
}

void encode_round(const Round& r, ByteWriter& out, const RoundTimes& times) noexcept {
  const bool has_times = times.closes != 0;
  out.u32(k_round_magic);
  out.u8(k_wire_version);
  out.u8(static_cast<std::uint8_t>(r.question));
  out.u16(r.number);
  out.bytes(r.study);
  out.u8(r.cohort);
  out.u8(static_cast<std::uint8_t>(r.recipe));
  out.u8(static_cast<std::uint8_t>(r.stem));
  out.u8(r.link);
  for (const std::uint32_t v : r.spec) out.u32(v);
  for (const std::uint32_t v : r.parameter.at_place) out.u32(v);
  out.u8(static_cast<std::uint8_t>(r.model_size));
  out.u8(static_cast<std::uint8_t>(r.pair_count));
  out.u16(has_times ? 1 : 0);
  out.bytes({r.model, k_model_bytes * std::size_t{r.model_size}});
  out.bytes({r.pairs, k_pair_bytes * std::size_t{r.pair_count}});
  if (!has_times) return;
  out.u64(times.opens);
  out.u64(times.closes);
}

}  // namespace sotto
