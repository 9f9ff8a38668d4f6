// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// How reports are sealed: the key of a device, how the issuer derives it, and sealing and opening of whole reports.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sotto/aead.hpp"
#include "sotto/bytes.hpp"
#include "sotto/sha256.hpp"
#include "sotto/status.hpp"

namespace sotto {

/// The key with which a device seals its reports to one study.
using ReportKey = std::array<std::uint8_t, k_key_bytes>;
/// The issuer's secret, from which all report keys of its studies are derived.
using MasterKey = std::array<std::uint8_t, 32>;

/// The header of a report, which is sent in the clear.
inline constexpr std::size_t k_header_bytes = 16;

/// Derives the key of one pseudonym in one study: HMAC-SHA-256(master, "sotto-key-1" || study digest || pseudonym). The
/// issuer derives it to hand it out, the collector derives it again for every report; a device receives it.
void derive_key(const MasterKey& master, const Digest& study, std::uint64_t pseudonym, ReportKey& out) noexcept;

/// What a report is bound to: the manifest and the round that it answers. The digests are authenticated but not sent: a
/// report to another manifest or round fails its tag.
struct alignas(4) ReportContext {
  Digest study{};
  Digest round{};

  /// Bytes 0..3 of the study's digest as a little-endian number, which is part of the header of its reports.
  [[nodiscard]] std::uint32_t study_prefix() const noexcept {
    std::uint32_t word;
    __builtin_memcpy(&word, __builtin_assume_aligned(this, 4), sizeof word);  // the context is aligned: one load
    return from_little_endian(word);
  }
};

/// The memory in which one report is sealed or opened. The caller writes the key where the AEAD reads it, so that there
/// is no other copy; the destructor wipes it.
class ReportSeal {
 public:
  /// Eight words for the bytes of the report key.
  [[nodiscard]] std::uint32_t* key() noexcept { return stream_.key; }
  /// As seal_report() and open_report() below, for a report of 32 bytes or more.
  [[nodiscard]] Status seal(const ReportContext& context, const std::span<std::uint8_t>& report,
                            const AeadHook& hook) noexcept;
  [[nodiscard]] bool open(const ReportContext& context, const std::span<std::uint8_t>& report) noexcept;

 private:
  [[gnu::always_inline]] inline void describe(const ReportContext& context,
                                              const std::span<std::uint8_t>& report) noexcept;
  AeadStream stream_;
  std::uint32_t associated_[24];
  AeadText text_;
};

/// Seals a report in place: a span of header (16 bytes), payload, and 16 bytes of room for the tag. The payload is
/// encrypted; header and context are authenticated with it. The nonce consists of the header's version, question,
/// flags, round and study prefix, so one key seals at most one report to each round.
/// Cost     constant time for payloads of one length. Payload of 2 bytes: 5,600 instructions on Cortex-M4 and 12,500 on
///          M0.
/// Refuses  short_buffer (less than 32 bytes), seal_fault (the platform's hook failed; the report must not be sent).
[[nodiscard]] Status seal_report(const ReportKey& key, const ReportContext& context,
                                 const std::span<std::uint8_t>& report, const AeadHook& hook = {}) noexcept;

/// Opens in place what seal_report() made. Returns false, and leaves the report sealed, if the report, the key or the
/// context is not the one that was sealed.
[[nodiscard]] bool open_report(const ReportKey& key, const ReportContext& context,
                               const std::span<std::uint8_t>& report) noexcept;

}  // namespace sotto
