// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/cluster/entry.hpp"

#include "sotto/analyzer/channel/describe.hpp"
#include "sotto/analyzer/crypto/hash.hpp"
#include "sotto/analyzer/crypto/random.hpp"
#include "sotto/bytes.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::size_t k_entry_head = 8;

std::uint64_t first_of(const Digest& digest) noexcept {
  return load_u32(digest.data()) | std::uint64_t{load_u32(digest.data() + 4)} << 32;
}

}  // namespace

std::vector<std::uint8_t> encode_entry(const PartitionEntry& entry) {
  std::vector<std::uint8_t> out(1 + k_entry_head);
  out[0] = static_cast<std::uint8_t>(entry.kind);
  if (entry.kind == EntryKind::reports) {
    random_bytes(std::span(out).subspan(1));
  } else {
    store_u32(&out[1], entry.round);
    store_u32(&out[5], entry.attempt);
  }
  out.insert(out.end(), entry.bytes.begin(), entry.bytes.end());
  return out;
}

std::optional<PartitionEntry> decode_entry(std::span<const std::uint8_t> bytes) {
  if (bytes.size() < 1 + k_entry_head || bytes[0] < 1 || bytes[0] > 4) return std::nullopt;
  PartitionEntry out;
  out.kind = static_cast<EntryKind>(bytes[0]);
  if (out.kind != EntryKind::reports) {
    out.round = static_cast<std::uint16_t>(load_u32(&bytes[1]));
    out.attempt = load_u32(&bytes[5]);
  }
  const auto rest = bytes.subspan(1 + k_entry_head);
  out.bytes.assign(rest.begin(), rest.end());
  return out;
}

std::string entry_id(std::span<const std::uint8_t> bytes) { return hex_text(fast_sha256(bytes)); }

std::uint32_t partition_of(std::uint64_t pseudonym, std::uint32_t partitions) {
  if (partitions == 1) return 0;
  std::uint8_t name[8];
  store_u32(name, static_cast<std::uint32_t>(pseudonym));
  store_u32(name + 4, static_cast<std::uint32_t>(pseudonym >> 32));
  return static_cast<std::uint32_t>(first_of(fast_sha256(name)) % partitions);
}

}  // namespace sotto::analyzer
