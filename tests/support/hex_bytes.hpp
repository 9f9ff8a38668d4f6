// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace sotto {

void not_hexadecimal();  // declared only: a constant expression that comes here does not compile

/// Bytes of a hexadecimal literal, as published vectors are written.
template <std::size_t N>
consteval std::array<std::uint8_t, N / 2> hex(const char (&digits)[N]) {
  std::array<std::uint8_t, N / 2> bytes{};
  for (std::size_t i = 0; i + 1 < N; ++i) {
    const char c = digits[i];
    const bool decimal = c >= '0' && c <= '9';
    if (!decimal && (c < 'a' || c > 'f')) not_hexadecimal();
    const int v = decimal ? c - '0' : c - 'a' + 10;
    bytes[i / 2] = static_cast<std::uint8_t>(bytes[i / 2] << 4 | v);
  }
  return bytes;
}

/// The bytes of a text literal, without the zero at its end.
template <std::size_t N>
std::span<const std::uint8_t> text_bytes(const char (&text)[N]) {
  return {reinterpret_cast<const std::uint8_t*>(text), N - 1};
}

}  // namespace sotto
