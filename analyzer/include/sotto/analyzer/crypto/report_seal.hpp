// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <sodium/crypto_auth_hmacsha256.h>

#include <cstdint>
#include <span>

#include "sotto/credential.hpp"

// The collector's side of sotto/credential.hpp, by libsodium: another implementation of the same bytes.
namespace sotto::analyzer {

/// Derives the keys of one study's pseudonyms. What is common to all of them is hashed once; calls from several threads are fine.
class StudyKeys {
 public:
  StudyKeys(const MasterKey& master, const Digest& study);
  StudyKeys(const StudyKeys&) = delete;
  StudyKeys& operator=(const StudyKeys&) = delete;
  ~StudyKeys();

  /// Equal to sotto::derive_key(). The caller wipes it.
  [[nodiscard]] ReportKey key(std::uint64_t pseudonym) const noexcept;

 private:
  crypto_auth_hmacsha256_state begun_;
};

/// Opens what seal_report() made into `payload`, which has the report's size less header and tag. False when a byte of the
/// report, the key or the context is another, or the sizes do not match; `payload` is then all zeros.
[[nodiscard]] bool open_sealed(const ReportKey& key, const ReportContext& context, std::span<const std::uint8_t> report,
                               std::span<std::uint8_t> payload) noexcept;

}  // namespace sotto::analyzer
