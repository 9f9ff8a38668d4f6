// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>

namespace sotto {

/// CRC-32 (reflected polynomial 0xedb88320), half a byte at a time: a table of 64 bytes. Start with ~generation, complement at
/// the end; with generation 0 it is the CRC-32 of zlib. Copies the bytes on its way; `to` may be `data`.
[[nodiscard]] std::uint32_t crc32_copy(std::uint32_t crc, const std::uint8_t* data, std::uint32_t bytes,
                                       std::uint8_t* to) noexcept;

/// What crc32_copy() gives for any bytes followed by their complemented checksum.
inline constexpr std::uint32_t k_crc_residue = 0xdebb20e3u;

}  // namespace sotto
