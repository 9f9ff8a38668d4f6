// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The bytes of a report: its header, and the length of the parts after it.

#include <cstddef>
#include <cstdint>
#include <span>

#include "sotto/credential.hpp"
#include "sotto/status.hpp"
#include "sotto/wire/question_kind.hpp"

namespace sotto {

inline constexpr std::size_t k_report_bytes_max = 1024;

/// The first 16 bytes of a report (shared/spec/WIRE.md). The payload follows and, in a sealed report, the tag.
struct ReportHeader {
  QuestionKind question{};
  bool authenticated = false;      ///< the payload is sealed
  std::uint16_t round = 0;         ///< 1 .. 65535
  std::uint32_t study_prefix = 0;  ///< bytes 0..3 of the study's digest, little-endian
  std::uint64_t pseudonym = 0;     ///< never 0
};

void encode_header(const ReportHeader& header, std::span<std::uint8_t, k_header_bytes> out) noexcept;

/// Refuses  too_large, truncated (less than header, one byte of payload and, if sealed, the tag), unsupported_version,
///          bad_field.
Status decode_header(const std::span<const std::uint8_t>& report, ReportHeader& out) noexcept;

/// The bytes of a payload that holds one number of this many bits.
[[nodiscard]] constexpr std::size_t payload_bytes_of(std::uint32_t bits) noexcept { return (bits + 7) / 8; }

/// The bytes of a whole report.
[[nodiscard]] constexpr std::size_t report_bytes_of(std::size_t payload_bytes, bool authenticated) noexcept {
  return k_header_bytes + payload_bytes + (authenticated ? k_tag_bytes : 0);
}
static_assert(report_bytes_of(2, true) == 34 && report_bytes_of(2, false) == 18);

}  // namespace sotto
