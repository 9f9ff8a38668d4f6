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

static_assert(std::endian::native == std::endian::little, "fields are copied as they stand in the formats");

// Out of line: flash is short where formats are read.
[[nodiscard]] std::uint32_t load_u16(const std::uint8_t* p) noexcept;
[[nodiscard]] inline std::uint64_t load_u64(const std::uint8_t* p) noexcept {
  std::uint64_t v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}

inline constexpr std::uint32_t k_manifest_magic = 0x4d544f53, k_round_magic = 0x52544f53;  // "SOTM", "SOTR"

/// A field of the part that has one place for everything: so many bytes from there to here.
struct Field {
  std::uint8_t from, to, bytes;
  std::uint8_t least;
  std::uint16_t most;  ///< of a number of one or two bytes; longer ones are left to the decoder
};

struct Frame {
  std::uint32_t magic, largest;
  const Field* fields;
  std::uint8_t field_count, fixed_bytes, struct_bytes;
};

/// Size, first four bytes and version, before anything else is believed; then the fields, into a struct of zeros.
[[nodiscard]] Status read_frame(const std::span<const std::uint8_t>& bytes, const Frame& frame, void* out) noexcept;

/// What a decoder fills before it knows whether it will refuse.
template <class T>
union Draft {
  T value;
  Draft() noexcept {}  // read_frame() writes the zeros
};

/// Splits the bytes into a body that ends there and the signature behind it: nothing, or its length (1 to 96) and so many bytes.
[[nodiscard]] Status split_signature(const std::span<const std::uint8_t>& bytes, const std::uint8_t* end,
                                     std::span<const std::uint8_t> body_and_signature[2]) noexcept;

}  // namespace sotto
