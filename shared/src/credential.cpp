// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/credential.hpp"

#include "sotto/bytes.hpp"
#include "sotto/hmac.hpp"

namespace sotto {

namespace {

constexpr std::uint8_t k_key_label[] = {'s', 'o', 't', 't', 'o', '-', 'k', 'e', 'y', '-', '1'};
constexpr std::uint8_t k_associated_label[] = {'s', 'o', 't', 't', 'o', '-', 'a', 'd', '-', '1'};
constexpr std::size_t k_nonce_header_bytes = 8;

constexpr std::size_t k_associated_bytes = sizeof k_associated_label + 2 * sizeof(Digest) + k_header_bytes;

}  // namespace

// The arguments of the AEAD for a report.
void ReportSeal::describe(const ReportContext& context, const std::span<std::uint8_t>& report) noexcept {
  // Zeros pad the associated data, whose last word is half full, and the nonce.
  static_assert(k_associated_bytes / 4 == 22 && sizeof associated_ == 4 * 24 && k_nonce_header_bytes == 4 * 2);
  associated_[22] = associated_[23] = stream_.nonce[2] = 0;
  auto* to = reinterpret_cast<std::uint8_t*>(associated_);
  __builtin_memcpy(to, k_associated_label, sizeof k_associated_label);
  to += sizeof k_associated_label;
  static_assert(sizeof context == 2 * sizeof(Digest));
  __builtin_memcpy(to, &context, sizeof context);
  to += sizeof context;
  __builtin_memcpy(to, report.data(), k_header_bytes);
  __builtin_memcpy(stream_.nonce, report.data(), k_nonce_header_bytes);
  text_ = {.key = reinterpret_cast<const std::uint8_t*>(stream_.key),
           .nonce = reinterpret_cast<const std::uint8_t*>(stream_.nonce),
           .associated = associated_,
           .associated_bytes = k_associated_bytes,
           .text = report.data() + k_header_bytes,
           .text_bytes = report.size() - k_header_bytes - k_tag_bytes,
           .tag = report.data() + report.size() - k_tag_bytes};
}

Status ReportSeal::seal(const ReportContext& context, const std::span<std::uint8_t>& report,
                        const AeadHook& hook) noexcept {
  describe(context, report);
  if (hook.seal != nullptr) return hook.seal(hook.context, &text_) ? Status::ok : Status::seal_fault;
  aead_seal(text_, stream_);
  return Status::ok;
}

bool ReportSeal::open(const ReportContext& context, const std::span<std::uint8_t>& report) noexcept {
  describe(context, report);
  return aead_open(text_);
}

void derive_key(const MasterKey& master, const Digest& study, std::uint64_t pseudonym, ReportKey& out) noexcept {
  std::uint8_t name[8];
  ByteWriter(name).u64(pseudonym);
  HmacSha256 hmac(master);
  hmac.add(k_key_label);
  hmac.add(study);
  hmac.add(name);
  hmac.finish(out);
}

Status seal_report(const ReportKey& key, const ReportContext& context, const std::span<std::uint8_t>& report,
                   const AeadHook& hook) noexcept {
  if (report.size() < k_header_bytes + k_tag_bytes) return Status::short_buffer;
  ReportSeal seal;
  __builtin_memcpy(seal.key(), key.data(), sizeof key);
  return seal.seal(context, report, hook);
}

bool open_report(const ReportKey& key, const ReportContext& context, const std::span<std::uint8_t>& report) noexcept {
  if (report.size() < k_header_bytes + k_tag_bytes) return false;
  ReportSeal seal;
  __builtin_memcpy(seal.key(), key.data(), sizeof key);
  return seal.open(context, report);
}

}  // namespace sotto
