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

// The arguments of the AEAD for a report, with the memory that they refer to.
struct ReportText {
  AeadStream stream;
  std::uint32_t associated[(k_associated_bytes + 15) / 16 * 4];
  AeadText text;

  [[gnu::always_inline]] ReportText(const ReportKey& key, const ReportContext& context,
                                    const std::span<std::uint8_t>& report) noexcept
      : text{.key = key.data(),
             .nonce = reinterpret_cast<const std::uint8_t*>(stream.nonce),
             .associated = associated,
             .associated_bytes = k_associated_bytes,
             .text = report.data() + k_header_bytes,
             .text_bytes = report.size() - k_header_bytes - k_tag_bytes,
             .tag = report.data() + report.size() - k_tag_bytes} {
    // Zeros pad the associated data, whose last word is half full, and the nonce.
    static_assert(k_associated_bytes / 4 == 22 && sizeof associated == 4 * 24 && k_nonce_header_bytes == 4 * 2);
    associated[22] = associated[23] = stream.nonce[2] = 0;
    auto* to = reinterpret_cast<std::uint8_t*>(associated);
    __builtin_memcpy(to, k_associated_label, sizeof k_associated_label);
    to += sizeof k_associated_label;
    static_assert(sizeof context == 2 * sizeof(Digest));
    __builtin_memcpy(to, &context, sizeof context);
    to += sizeof context;
    __builtin_memcpy(to, report.data(), k_header_bytes);
    __builtin_memcpy(stream.nonce, report.data(), k_nonce_header_bytes);
  }
  ReportText(const ReportText&) = delete;
  ReportText& operator=(const ReportText&) = delete;
};

}  // namespace

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
  return report.size() < k_header_bytes + k_tag_bytes ? Status::short_buffer
                                                      : seal_whole_report(key, context, report, hook);
}

Status seal_whole_report(const ReportKey& key, const ReportContext& context, const std::span<std::uint8_t>& report,
                         const AeadHook& hook) noexcept {
  ReportText sealed(key, context, report);
  if (hook.seal != nullptr) return hook.seal(hook.context, &sealed.text) ? Status::ok : Status::seal_fault;
  __builtin_memcpy(sealed.stream.key, key.data(), sizeof sealed.stream.key);
  aead_seal(sealed.text, sealed.stream);
  return Status::ok;
}

bool open_report(const ReportKey& key, const ReportContext& context, const std::span<std::uint8_t>& report) noexcept {
  if (report.size() < k_header_bytes + k_tag_bytes) return false;
  return aead_open(ReportText(key, context, report).text);
}

}  // namespace sotto
