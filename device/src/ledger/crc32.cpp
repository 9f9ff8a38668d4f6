// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "crc32.hpp"

namespace sotto {

std::uint32_t crc32_copy(std::uint32_t crc, const std::uint8_t* data, std::uint32_t bytes, std::uint8_t* to) noexcept {
  static constexpr std::uint32_t k_table[16] = {
      0x00000000u, 0x1db71064u, 0x3b6e20c8u, 0x26d930acu, 0x76dc4190u, 0x6b6b51f4u, 0x4db26158u, 0x5005713cu,
      0xedb88320u, 0xf00f9344u, 0xd6d6a3e8u, 0xcb61b38cu, 0x9b64c2b0u, 0x86d3d2d4u, 0xa00ae278u, 0xbdbdf21cu};
  for (const std::uint8_t* const end = data + bytes; data != end; ++data) {
    const std::uint8_t byte = *data;
    *to++ = byte;
    crc ^= byte;
    crc = crc >> 4 ^ k_table[crc & 15u];
    crc = crc >> 4 ^ k_table[crc & 15u];
  }
  return crc;
}

}  // namespace sotto
