// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The ledger's image: the bytes that record what a device has spent, as the ledger keeps them in memory and writes
/// them to flash. An image is a header, one line for each removed study and one entry for each study. The structs have
/// the layout of shared/spec/LEDGER.md.

#include <bit>
#include <cstddef>
#include <cstdint>

#include "sotto/ledger/flash.hpp"
#include "sotto/ledger/study_entry.hpp"

namespace sotto {

static_assert(std::endian::native == std::endian::little, "the ledger's image is little-endian");

inline constexpr std::uint32_t k_ledger_magic = 0x474c5453;  // "STLG"
inline constexpr std::uint8_t k_ledger_version = 2;
inline constexpr std::uint8_t k_ledger_keyed = 0x80;  ///< bit of the version: images carry a tag
/// The largest program unit. An image is a whole number of lines, hence of program units on every flash.
inline constexpr std::uint32_t k_line_bytes = 32;
inline constexpr std::uint32_t k_studies_max = 255;
/// Sequence numbers stay below this: they never wrap, and none looks like erased flash.
inline constexpr std::uint32_t k_sequence_end = 1u << 30;
/// The last two lines of a sector hold marks, not images.
inline constexpr std::uint32_t k_marks_bytes = 2 * k_line_bytes;

/// The first line of an image.
struct ImageLine {
  std::uint32_t checksum = 0;
  std::uint32_t magic = 0;
  std::uint32_t sequence = 0;  ///< rises with every image; the highest is the current one
  std::uint32_t acts = 0;      ///< charges, removals, changes of consent or policy; compared with the counter
  std::uint8_t version = 0;
  std::uint8_t consent = 0;
  std::uint8_t removed = 0;  ///< number of removed studies; each keeps a line with its digest
  std::uint8_t studies = 0;
  std::uint16_t entry_bytes = 0;   ///< size of each study's entry, with room for its report; a multiple of 32
  std::uint16_t memory_lines = 0;  ///< size of the memory of the ledger that wrote this; no later image is longer
  FlashGeometry geometry{0, 0, 0, 0};
};
static_assert(sizeof(ImageLine) == k_line_bytes);

inline constexpr std::uint32_t k_secret_words = 8, k_image_tag_bytes = 16;

/// The header of an image: its first line, the caps, the device's secret and what removed studies have spent.
struct ImageHead : ImageLine {
  Policy policy;
  std::uint32_t secret[k_secret_words] = {};  ///< this device's secret, mixed into its coins by Ledger::seed()
  Charge retired;                             ///< spent by studies that have been removed
  std::uint8_t tag[k_image_tag_bytes] = {};   ///< tag of a keyed image; otherwise zeros
};
inline constexpr std::uint32_t k_image_head_bytes = 128;
inline constexpr std::uint32_t k_image_max_bytes = 1u << 20;  ///< size of the largest sector
static_assert(sizeof(ImageHead) == k_image_head_bytes);

[[nodiscard]] constexpr std::uint32_t image_bytes(const ImageLine& line) noexcept {
  return k_image_head_bytes + line.removed * k_line_bytes + std::uint32_t{line.studies} * line.entry_bytes;
}

/// Bytes of an entry with room for a report of that size, rounded up to whole lines.
[[nodiscard]] constexpr std::uint32_t entry_bytes(std::uint32_t report_bytes) noexcept {
  return (k_entry_bytes + report_bytes + k_line_bytes - 1) / k_line_bytes * k_line_bytes;
}

/// Bytes of memory that a ledger needs for a number of studies, each with room for a report of that size.
[[nodiscard]] constexpr std::uint32_t ledger_memory_bytes(std::uint32_t studies, std::uint32_t report_bytes) noexcept {
  return k_image_head_bytes + studies * entry_bytes(report_bytes);
}
static_assert(ledger_memory_bytes(1, 34) == 256, "a sealed vote fills its line");

/// The caller's memory for the image. It holds keys while the ledger is open; close() wipes it.
struct [[gnu::may_alias]] LedgerMemory {
  std::uint64_t* words = nullptr;
  std::uint32_t bytes = 0;
  std::uint32_t report_bytes = 0;  ///< room for a report of each study, 1 to 1024; read by create() alone
};

/// Static memory for a ledger.
template <std::uint32_t studies, std::uint32_t report_bytes>
requires(studies <= k_studies_max && report_bytes >= 1 && report_bytes <= k_report_max_bytes) struct LedgerSpace {
  std::uint64_t words[ledger_memory_bytes(studies, report_bytes) / 8] = {};
  [[nodiscard]] constexpr LedgerMemory memory() noexcept { return {words, sizeof words, report_bytes}; }
};

}  // namespace sotto
