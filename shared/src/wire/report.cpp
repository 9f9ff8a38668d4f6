// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/wire/report.hpp"

#include "fields.hpp"

namespace sotto {

void encode_header(const ReportHeader& header, std::span<std::uint8_t, k_header_bytes> out) noexcept {
  const std::uint32_t words[4] = {static_cast<std::uint32_t>(header.question) | k_wire_version << 4 |
                                      (header.authenticated ? 1u << 8 : 0) | std::uint32_t{header.round} << 16,
                                  header.study_prefix, static_cast<std::uint32_t>(header.pseudonym),
                                  static_cast<std::uint32_t>(header.pseudonym >> 32)};
  __builtin_memcpy(out.data(), words, sizeof words);
}

Status decode_header(const std::span<const std::uint8_t>& report, ReportHeader& out) noexcept {
  if (report.size() > k_report_bytes_max) return Status::too_large;
  if (report.empty()) return Status::truncated;
  if (report[0] >> 4 != k_wire_version) return Status::unsupported_version;
  if (report.size() < k_header_bytes) return Status::truncated;
  const std::uint8_t* const p = report.data();
  ReportHeader h;
  h.question = static_cast<QuestionKind>(p[0] & 15u);
  h.authenticated = p[1] == 1;
  h.round = static_cast<std::uint16_t>(load_u16(p + 2));
  h.study_prefix = load_u32(p + 4);
  h.pseudonym = load_u64(p + 8);
  if ((p[0] & 15u) == 0 || (p[0] & 15u) > k_question_last || p[1] > 1 || h.round == 0 || h.pseudonym == 0)
    return Status::bad_field;
  if (report.size() < report_bytes_of(1, h.authenticated)) return Status::truncated;
  out = h;
  return Status::ok;
}

}  // namespace sotto
