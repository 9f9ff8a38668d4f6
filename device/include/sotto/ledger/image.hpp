// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "sotto/ledger/flash.hpp"
#include "sotto/ledger/study_entry.hpp"

// The ledger's image: one piece of memory that is written to flash as it is. The structs are the bytes of shared/spec/LEDGER.md.
namespace sotto {

static_assert(std::endian::native == std::endian::little, "the ledger's image is little-endian");

inline constexpr std::uint32_t k_ledger_magic = 0x474c5453;  // "STLG"
inline constexpr std::uint8_t k_ledger_version = 2;
inline constexpr std::uint8_t k_ledger_keyed = 0x80;  ///< of the version: images carry a tag
/// The largest program unit: an image is a whole number of lines, so that it is a whole number of units on every flash.
inline constexpr std::uint32_t k_line_bytes = 32;
inline constexpr std::uint32_t k_studies_max = 255;
/// Sequence numbers stay below: what is written never wraps, and no number looks like erased flash.
inline constexpr std::uint32_t k_sequence_end = 1u << 30;
/// The last lines of a sector: marks, not images.
inline constexpr std::uint32_t k_marks_bytes = 2 * k_line_bytes;

/// First in an image.
struct ImageLine {
  std::uint32_t checksum = 0;
  std::uint32_t magic = 0;
  std::uint32_t sequence = 0;  ///< rises with every image; the highest is the ledger
  std::uint32_t acts = 0;      ///< charges, removals, changes of consent or policy; the monotonic counter's number
  std::uint8_t version = 0;
  std::uint8_t consent = 0;
  std::uint8_t removed = 0;  ///< studies that were: a line each, with the digest
  std::uint8_t studies = 0;
  std::uint16_t entry_bytes = 0;   ///< of each study, with room for its report: whole lines
  std::uint16_t memory_lines = 0;  ///< of the memory of the ledger that wrote this; no later image is longer
  FlashGeometry geometry{0, 0, 0, 0};
};
static_assert(sizeof(ImageLine) == k_line_bytes);

inline constexpr std::uint32_t k_secret_words = 8, k_image_tag_bytes = 16;

struct ImageHead : ImageLine {
  Policy policy;
  std::uint32_t secret[k_secret_words] = {};  ///< of this device, for its coins: Ledger::stir()
  Charge retired;                             ///< spent by studies that were removed
  std::uint8_t tag[k_image_tag_bytes] = {};   ///< of a keyed image, else zeros
};
inline constexpr std::uint32_t k_image_head_bytes = 128;
inline constexpr std::uint32_t k_image_max_bytes = 1u << 20;  ///< of the largest sector
static_assert(sizeof(ImageHead) == k_image_head_bytes);

[[nodiscard]] constexpr std::uint32_t image_bytes(const ImageLine& line) noexcept {
  return k_image_head_bytes + line.removed * k_line_bytes + std::uint32_t{line.studies} * line.entry_bytes;
}

/// Bytes of an entry with room for a report of that size: whole lines.
[[nodiscard]] constexpr std::uint32_t entry_bytes(std::uint32_t report_bytes) noexcept {
  return (k_entry_bytes + report_bytes + k_line_bytes - 1) / k_line_bytes * k_line_bytes;
}

/// Memory that a ledger of so many studies needs, each with room for a report of that size.
[[nodiscard]] constexpr std::uint32_t ledger_memory_bytes(std::uint32_t studies, std::uint32_t report_bytes) noexcept {
  return k_image_head_bytes + studies * entry_bytes(report_bytes);
}
static_assert(ledger_memory_bytes(1, 34) == 256, "a sealed vote fills its line");

/// The caller's memory for the image. It holds keys; the ledger wipes it when it closes.
struct LedgerMemory {
  std::uint64_t* words = nullptr;
  std::uint32_t bytes = 0;
  std::uint32_t report_bytes = 0;  ///< room for each study's report in a ledger that is created here: 1 to 1024
};

template <std::uint32_t studies, std::uint32_t report_bytes>
requires(studies <= k_studies_max && report_bytes >= 1 && report_bytes <= k_report_max_bytes) struct LedgerSpace {
  std::uint64_t words[ledger_memory_bytes(studies, report_bytes) / 8] = {};
  [[nodiscard]] constexpr LedgerMemory memory() noexcept { return {words, sizeof words, report_bytes}; }
};

}  // namespace sotto
