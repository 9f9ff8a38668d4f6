// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <bit>
#include <cstdint>

#include "sotto/ledger/flash.hpp"
#include "sotto/ledger/study_entry.hpp"

// The records of shared/spec/LEDGER.md. These structs are the bytes in flash: no padding, little-endian.
namespace sotto {

static_assert(std::endian::native == std::endian::little, "the ledger's records are little-endian");

/// Neither 0x00 nor 0xff: an erased byte is no record.
enum class RecordType : std::uint8_t { header = 1, study, report, charge, acknowledged, commit, clean };

struct RecordHead {
  RecordType type;
  std::uint8_t study;   ///< number of the study, counted from 0 in the order of their records
  std::uint16_t bytes;  ///< of the body
};
static_assert(sizeof(RecordHead) == 4);

/// A record head as one number: it travels in a register.
[[nodiscard]] constexpr std::uint32_t record_head(RecordType type, std::uint32_t study, std::uint32_t bytes) noexcept {
  return static_cast<std::uint32_t>(type) | study << 8 | bytes << 16;
}

inline constexpr std::uint32_t k_ledger_magic = 0x474c5453;  // "STLG"
inline constexpr std::uint8_t k_ledger_version = 1;

struct HeaderBody {
  std::uint32_t magic = 0;
  std::uint32_t generation = 0;
  FlashGeometry geometry{0, 0, 0, 0};
  std::uint32_t acts =
      0;  ///< charges, and changes of consent or policy, up to this record: the monotonic counter's number
  std::uint8_t version = 0;
  std::uint8_t consent = 0;
  std::uint16_t reserved = 0;
  Policy policy;
};
static_assert(sizeof(HeaderBody) == 56);

struct ChargeBody {
  Charge charge;
  std::uint16_t round = 0;
};
inline constexpr std::uint32_t k_charge_body_bytes = 18;  // without the padding at the end

struct StudyBody {
  StudyFacts facts;
  Digest digest{};
  ReportKey key{};
};
inline constexpr std::uint32_t k_study_body_bytes = 96;
static_assert(sizeof(StudyBody) == k_study_body_bytes);
inline constexpr std::uint32_t k_record_frame_bytes = sizeof(RecordHead) + 4;  // head and checksum

/// A walk over the records of one sector.
class RecordCursor {
 public:
  /// Before the record at this address.
  explicit RecordCursor(std::uint32_t address) noexcept : next(address) {}

  std::uint32_t next;  ///< address behind the record at hand
  // Of the record at hand, once there is one.
  std::uint32_t at;
  RecordHead head;
  [[nodiscard]] std::uint32_t body() const noexcept { return at + sizeof(RecordHead); }
};

}  // namespace sotto
