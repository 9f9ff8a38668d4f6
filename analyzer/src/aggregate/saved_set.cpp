// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "saved_set.hpp"

#include <fmt/format.h>

#include "checksum.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::uint8_t k_set_version = 1;

}  // namespace

void write_set_head(const Digest& spec, const SetHead& head, ByteWriter& out) {
  out.u8(k_set_version);
  out.bytes(spec);
  out.u64(head.refused);
  out.u64(head.count);
}

Result<SetHead> read_set_head(std::span<const std::uint8_t> bytes, const Digest& spec, std::size_t report_bytes,
                              std::string_view what) {
  const auto refusal = [what](std::string_view code, std::string value, std::string fix) {
    return Error{code, std::string(what), std::move(value), std::move(fix)};
  };
  const std::string size = fmt::format("{} bytes", bytes.size());
  if (bytes.size() < k_set_head_bytes + k_checksum_bytes)
    return refusal("aggregate.truncated", size, "read the whole file");
  ByteReader in{bytes};
  if (const std::uint8_t version = in.u8(); version != k_set_version)
    return refusal("aggregate.bad_version", fmt::format("{}", version), "this program reads version 1");
  Digest digest{};
  for (std::uint8_t& b : digest) b = in.u8();
  if (digest != spec) return refusal("aggregate.other_spec", size, "load it with the spec that it was opened with");
  SetHead head;
  head.refused = in.u64();
  head.count = in.u64();
  const std::uint64_t room = bytes.size() - k_set_head_bytes - k_checksum_bytes;
  if (room % report_bytes != 0 || room / report_bytes != head.count)
    return refusal("aggregate.truncated", fmt::format("{} for {} reports", size, head.count), "read the whole file");
  if (!checksum_fits(bytes))
    return refusal("aggregate.altered", size, "copy it from its source again: its checksum does not match");
  return head;
}

Error other_set(std::string_view what) {
  return {"aggregate.other_spec", std::string(what), "two different randomizers",
          "merge only sets that were opened with the same spec"};
}

}  // namespace sotto::analyzer
