// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Any bytes as a report, and reports that are made of the fuzzer's numbers, sealed and then damaged: refused, or the header comes
// back from the encoder, no key opens it by chance, and what is sealed here opens to what it was and to nothing else.
#include "fuzz_bytes.hpp"
#include "sotto/wire/report.hpp"

using namespace sotto;
using namespace sotto::fuzz;

namespace {

std::vector<std::uint8_t> made_report(Taker& take, const ReportKey& key, const ReportContext& context, bool& is_whole) {
  ReportHeader header;
  header.question = static_cast<QuestionKind>(1 + take.u8() % k_question_last);
  header.authenticated = take.flag();
  header.round = static_cast<std::uint16_t>(1 + take.u8());
  header.study_prefix = take.u32();
  header.pseudonym = std::uint64_t{1} + take.u32();
  const std::size_t payload = 1 + (take.flag() ? take.u8() % 8 : take.u16() % 900);
  std::vector<std::uint8_t> report(report_bytes_of(payload, header.authenticated));
  take.fill(std::span(report).subspan(k_header_bytes, payload));
  encode_header(header, std::span(report).first<k_header_bytes>());
  if (header.authenticated) must(seal_report(key, context, report) == Status::ok);
  const std::vector<std::uint8_t> sent = report;
  damage(take, report);
  is_whole = report == sent;
  return report;
}

/// What is sealed opens to itself, with its key, for its study and its round only.
void seal_and_open(const ReportKey& key, const ReportContext& context, std::span<const std::uint8_t> bytes) {
  std::vector<std::uint8_t> report(bytes.begin(), bytes.end());
  must(seal_report(key, context, report) == Status::ok);
  ReportKey other_key = key;
  other_key[bytes[2] % other_key.size()] ^= 1;
  ReportContext other_study = context, other_round = context;
  other_study.study[bytes[3] % 32] ^= 1;
  other_round.round[bytes[4] % 32] ^= 0x80;
  const std::vector<std::uint8_t> sealed = report;
  must(!open_report(other_key, context, report) && !open_report(key, other_study, report) &&
       !open_report(key, other_round, report));
  must(report == sealed);  // left as it was
  must(open_report(key, context, report));
  must(std::equal(report.begin(), report.end() - k_tag_bytes, bytes.begin()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::uint8_t> given{data, size};
  // The first byte of a report is its version and its question; other first bytes ask for a made one.
  const bool is_raw = size > 0 && data[0] >> 4 == 1;
  Taker take(given);
  const std::uint64_t pseudonym = take.u64();
  MasterKey master;
  master.fill(static_cast<std::uint8_t>(pseudonym));
  ReportContext context;
  context.study.fill(1);
  context.round.fill(2);
  ReportKey key;
  derive_key(master, context.study, pseudonym, key);
  bool is_whole = false;
  const std::vector<std::uint8_t> bytes =
      is_raw ? std::vector<std::uint8_t>(given.begin(), given.end()) : made_report(take, key, context, is_whole);
  ReportHeader header;
  if (decode_header(bytes, header) != Status::ok) {
    must(header.pseudonym == 0 && !is_whole);  // untouched
    return 0;
  }
  std::uint8_t again[k_header_bytes];
  encode_header(header, again);
  must(std::equal(again, again + k_header_bytes, bytes.begin()));
  if (!header.authenticated) return 0;
  std::vector<std::uint8_t> report = bytes;
  must(open_report(key, context, report) == is_whole);
  must(is_whole || report == bytes);  // left sealed
  seal_and_open(key, context, bytes);
  return 0;
}
