// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// @file
/// The bytes of a report: its header, and how long the parts behind it are.

#include <cstddef>
#include <cstdint>
#include <span>

#include "sotto/credential.hpp"
#include "sotto/status.hpp"
#include "sotto/wire/question_kind.hpp"

namespace sotto {

inline constexpr std::size_t k_report_bytes_max = 1024;

/// The first 16 bytes of a report (shared/spec/WIRE.md). Behind them the payload and, sealed, the tag.
struct ReportHeader {
  QuestionKind question{};
  bool authenticated = false;
  std::uint16_t round = 0;         ///< 1 .. 65535
  std::uint32_t study_prefix = 0;  ///< bytes 0..3 of the study's digest, little-endian
  std::uint64_t pseudonym = 0;     ///< issued, never 0
};

void encode_header(const ReportHeader& header, std::span<std::uint8_t, k_header_bytes> out) noexcept;

/// Refuses  too_large, truncated (less than header, one byte of payload and, if sealed, the tag), unsupported_version, bad_field.
Status decode_header(const std::span<const std::uint8_t>& report, ReportHeader& out) noexcept;

/// Bytes of a payload with one number of so many bits.
[[nodiscard]] constexpr std::size_t payload_bytes_of(std::uint32_t bits) noexcept { return (bits + 7) / 8; }

/// The whole of a report.
[[nodiscard]] constexpr std::size_t report_bytes_of(std::size_t payload_bytes, bool authenticated) noexcept {
  return k_header_bytes + payload_bytes + (authenticated ? k_tag_bytes : 0);
}
static_assert(report_bytes_of(2, true) == 34 && report_bytes_of(2, false) == 18);

}  // namespace sotto
