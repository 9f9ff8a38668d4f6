// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sotto/bytes.hpp"
#include "sotto/status.hpp"
#include "sotto/wire/manifest.hpp"

namespace sotto {

static_assert(std::endian::native == std::endian::little, "fields are copied in the byte order of the formats");

// Out of line to save flash.
[[nodiscard]] std::uint32_t load_u16(const std::uint8_t* p) noexcept;
[[nodiscard]] inline std::uint64_t load_u64(const std::uint8_t* p) noexcept {
  std::uint64_t v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}

inline constexpr std::uint32_t k_manifest_magic = 0x4d544f53, k_round_magic = 0x52544f53;  // "SOTM", "SOTR"

/// A field of the fixed part of a format: how many bytes are copied to which offset of the struct. A number of one
/// byte, or the upper byte of a number of two, must be at most `span` above `min`; longer fields are checked by the
/// decoder.
struct Field {
  std::uint8_t to, bytes, min, span;
};
consteval Field byte_field(std::size_t to, std::uint32_t min, std::uint32_t max) {
  return {static_cast<std::uint8_t>(to), 1, static_cast<std::uint8_t>(min), static_cast<std::uint8_t>(max - min)};
}
/// A number of two bytes, from `min` to min + 256 * times_256 - 1.
consteval Field pair_field(std::size_t to, std::uint32_t min, std::uint32_t times_256) {
  return {static_cast<std::uint8_t>(to), 2, static_cast<std::uint8_t>(min), static_cast<std::uint8_t>(times_256 - 1)};
}
consteval Field long_field(std::size_t to, std::size_t bytes) {
  return {static_cast<std::uint8_t>(to), static_cast<std::uint8_t>(bytes), 0, 255};
}

/// The fixed part of a manifest or a round.
struct Frame {
  std::uint32_t magic, largest;
  const Field* fields;  ///< the fields after the version
  std::uint8_t field_count, fixed_bytes, struct_bytes;
};

/// Checks size, magic number and version first, then reads the fields into a zeroed struct.
[[nodiscard]] Status read_frame(const std::span<const std::uint8_t>& bytes, const Frame& frame, void* out) noexcept;

/// Splits the bytes at `end` into body and signature. The signature is empty, or a length byte (1 to 96) and that many
/// bytes.
[[nodiscard]] Status split_signature(const std::span<const std::uint8_t>& bytes, const std::uint8_t* end,
                                     SignedBytes& out) noexcept;

}  // namespace sotto
