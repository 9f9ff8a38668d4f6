// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Any bytes as a report: refused, or the header comes back from the encoder, no key opens it by chance, and what is sealed here
// opens to what it was.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sotto/wire/report.hpp"

namespace {

void must(bool promise) {
  if (!promise) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sotto;
  const std::span<const std::uint8_t> bytes{data, size};
  ReportHeader header;
  if (decode_header(bytes, header) != Status::ok) {
    must(header.pseudonym == 0);  // untouched
    return 0;
  }
  std::uint8_t again[k_header_bytes];
  encode_header(header, again);
  must(std::equal(again, again + k_header_bytes, data));
  if (!header.authenticated) return 0;
  const Digest study{1}, round{2};
  ReportKey key{};
  std::vector<std::uint8_t> report(bytes.begin(), bytes.end());
  must(!open_report(key, {study, round}, report));
  must(std::ranges::equal(report, bytes));  // left sealed
  must(seal_report(key, {study, round}, report) == Status::ok);
  must(open_report(key, {study, round}, report));
  must(std::equal(report.begin(), report.end() - k_tag_bytes, bytes.begin()));
  return 0;
}
