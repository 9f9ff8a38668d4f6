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

// The text of a report, with what its pointers point to.
struct ReportText {
  std::uint8_t nonce[k_nonce_bytes] = {};
  AeadPiece associated[4];
  AeadText text;

  ReportText(const ReportKey& key, const ReportContext& context, const std::span<std::uint8_t>& report) noexcept
      : associated{{k_associated_label, sizeof k_associated_label},
                   {context.study.data(), context.study.size()},
                   {context.round.data(), context.round.size()},
                   {report.data(), k_header_bytes}},
        text{.key = key.data(),
             .nonce = nonce,
             .associated = associated,
             .associated_pieces = 4,
             .text = report.data() + k_header_bytes,
             .text_bytes = report.size() - k_header_bytes - k_tag_bytes,
             .tag = report.data() + report.size() - k_tag_bytes} {
    __builtin_memcpy(nonce, report.data(), k_nonce_header_bytes);
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
  if (report.size() < k_header_bytes + k_tag_bytes) return Status::short_buffer;
  const ReportText sealed(key, context, report);
  if (hook.seal != nullptr) return hook.seal(hook.context, &sealed.text) ? Status::ok : Status::seal_fault;
  aead_seal(sealed.text);
  return Status::ok;
}

bool open_report(const ReportKey& key, const ReportContext& context, const std::span<std::uint8_t>& report) noexcept {
  if (report.size() < k_header_bytes + k_tag_bytes) return false;
  return aead_open(ReportText(key, context, report).text);
}

}  // namespace sotto
