// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The collector's side of sealed reports: derives each device's key from the master key and decrypts what a device
/// sealed. Written with OpenSSL (HMAC, which has the processor's SHA instructions) and libsodium, so that it is an
/// implementation independent of the device's (sotto/credential.hpp).

#include <cstdint>
#include <memory>
#include <span>

#include "sotto/credential.hpp"

namespace sotto::analyzer {

/// A report that is opened together with others.
struct SealedReport {
  std::uint64_t pseudonym = 0;
  const ReportContext* context = nullptr;
  std::span<const std::uint8_t> report;
  std::span<std::uint8_t> payload;  ///< as of open_sealed()
  bool is_right = false;            ///< what open_sealed() returns with the key of the pseudonym
};

/// Derives the report keys of one study's pseudonyms. The common prefix of the derivation is hashed once. Safe to call
/// from several threads.
class StudyKeys {
 public:
  StudyKeys(const MasterKey& master, const Digest& study);
  StudyKeys(const StudyKeys&) = delete;
  StudyKeys& operator=(const StudyKeys&) = delete;
  ~StudyKeys();

  /// The same key as sotto::derive_key(). The caller wipes it.
  [[nodiscard]] ReportKey key(std::uint64_t pseudonym) const noexcept;

  /// Opens each of the reports, with the key of its pseudonym. Those with payloads of at most 64 bytes are opened eight
  /// at a time, which takes a third of the time.
  void open(std::span<SealedReport> reports) const noexcept;

 private:
  struct Begun;
  std::unique_ptr<Begun> begun_;
};

/// Decrypts a report of seal_report() into `payload`, whose size is that of the report less header and tag. Returns
/// false if any byte of the report, the key or the context differs, or the sizes do not match; `payload` is then all
/// zeros.
[[nodiscard]] bool open_sealed(const ReportKey& key, const ReportContext& context, std::span<const std::uint8_t> report,
                               std::span<std::uint8_t> payload) noexcept;

}  // namespace sotto::analyzer
