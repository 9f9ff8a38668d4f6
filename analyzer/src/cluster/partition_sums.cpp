// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/cluster/partition_sums.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sotto/analyzer/channel/describe.hpp"
#include "sotto/analyzer/crypto/hash.hpp"
#include "sotto/bytes.hpp"

namespace sotto::analyzer {
namespace {

// A key's value has a limit, and the sums of a label study hold every report: they are written in pieces whose keys are
// their digests, and the key of the sums holds the digest of all and the number of pieces.
constexpr std::size_t k_count_bytes = 8;
constexpr std::string_view k_alarm_key = "alarm";

std::string sums_key(const SumsName& name) {
  return fmt::format("sums.{}.{}.{}", name.round, name.attempt, name.partition);
}
std::string piece_key(std::span<const std::uint8_t> piece) { return "piece." + hex_text(fast_sha256(piece)); }
std::string piece_key(const std::string& digits) { return "piece." + digits; }

std::vector<std::uint8_t> encode_sums(const PartitionSums& sums) {
  std::vector<std::uint8_t> out(k_reasons * k_count_bytes);
  for (std::size_t i = 0; i < k_reasons; ++i) {
    store_u32(&out[i * k_count_bytes], static_cast<std::uint32_t>(sums.counts.of[i]));
    store_u32(&out[i * k_count_bytes + 4], static_cast<std::uint32_t>(sums.counts.of[i] >> 32));
  }
  out.insert(out.end(), sums.aggregate.begin(), sums.aggregate.end());
  return out;
}

Error damaged_sums(const SumsName& name) {
  return {"cluster.damaged_sums", "published sums are not as they were written", sums_key(name),
          "restore the bucket of keys from a backup, or begin another run with --run"};
}

}  // namespace

Result<Done> publish_sums(Log& log, const SumsName& name, const PartitionSums& sums) {
  const std::vector<std::uint8_t> all = encode_sums(sums);
  const Digest digest = fast_sha256(all);
  std::vector<std::uint8_t> head(digest.begin(), digest.end());
  std::size_t pieces = 0;
  for (std::span<const std::uint8_t> left(all); !left.empty(); ++pieces) {
    const auto piece = left.first(std::min(left.size(), k_log_value_max));
    left = left.subspan(piece.size());
    if (const auto put = log.put_once(piece_key(piece), piece); !put) return put.error();
    const Digest own = fast_sha256(piece);
    head.insert(head.end(), own.begin(), own.end());
  }
  const Result<std::vector<std::uint8_t>> stays = log.put_once(sums_key(name), head);
  if (!stays) return stays.error();
  if (stays.value() == head) return Done{};
  const std::string what = fmt::format("two workers came to different sums of partition {} in round {}, attempt {}",
                                       name.partition, name.round, name.attempt);
  const std::span<const std::uint8_t> text(reinterpret_cast<const std::uint8_t*>(what.data()), what.size());
  if (const auto raised = log.put_once(k_alarm_key, text); !raised) return raised.error();
  return Error{"cluster.diverged", what, "the study is stopped",
               "find which machine's memory, disk or program differs; its log is complete, replay it elsewhere"};
}

Result<std::optional<PartitionSums>> published_sums(Log& log, const SumsName& name) {
  const Result<std::optional<std::vector<std::uint8_t>>> head = log.get(sums_key(name));
  if (!head) return head.error();
  if (!head.value()) return std::optional<PartitionSums>{};
  constexpr std::size_t k_digest_bytes = sizeof(Digest);
  if (head.value()->size() < 2 * k_digest_bytes || head.value()->size() % k_digest_bytes != 0)
    return damaged_sums(name);
  std::vector<std::uint8_t> all;
  for (std::size_t at = k_digest_bytes; at < head.value()->size(); at += k_digest_bytes) {
    const auto own = std::span<const std::uint8_t>(*head.value()).subspan(at, k_digest_bytes);
    const Result<std::optional<std::vector<std::uint8_t>>> piece = log.get(piece_key(hex_text(own)));
    if (!piece) return piece.error();
    if (!piece.value()) return damaged_sums(name);
    all.insert(all.end(), piece.value()->begin(), piece.value()->end());
  }
  const Digest digest = fast_sha256(all);
  if (!std::equal(digest.begin(), digest.end(), head.value()->begin()) || all.size() < k_reasons * k_count_bytes)
    return damaged_sums(name);
  PartitionSums sums;
  for (std::size_t i = 0; i < k_reasons; ++i) {
    const std::uint8_t* const at = &all[i * k_count_bytes];
    sums.counts.of[i] = load_u32(at) | std::uint64_t{load_u32(at + 4)} << 32;
  }
  sums.aggregate.assign(all.begin() + static_cast<std::ptrdiff_t>(k_reasons * k_count_bytes), all.end());
  return std::optional(std::move(sums));
}

Result<std::optional<std::string>> alarm_of(Log& log) {
  const Result<std::optional<std::vector<std::uint8_t>>> found = log.get(k_alarm_key);
  if (!found) return found.error();
  if (!found.value()) return std::optional<std::string>{};
  return std::optional(std::string(found.value()->begin(), found.value()->end()));
}

}  // namespace sotto::analyzer
