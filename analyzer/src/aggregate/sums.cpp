// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/sums.hpp"

#include <algorithm>
#include <string>

#include "checksum.hpp"
#include "sotto/analyzer/channel/spec_check.hpp"
#include "sotto/bytes.hpp"

namespace sotto::analyzer {

namespace {

constexpr std::uint8_t k_sums_version = 1;
constexpr std::size_t k_sums_head_bytes = 1 + 1 + 32 + 8 + 8 + 4;

std::size_t bytes_of(std::size_t sums) noexcept { return k_sums_head_bytes + 8 * sums + k_checksum_bytes; }

Error sums_refusal(std::string_view code, const SumsShape& shape, std::string value, std::string fix) {
  return {code, "aggregate of " + std::string(stem_name(shape.stem)), std::move(value), std::move(fix)};
}

bool same_spec(const SumsShape& a, const SumsShape& b) noexcept {
  return a.stem == b.stem && a.spec == b.spec && a.count == b.count;
}

}  // namespace

Result<Done> Sums::merge(const Sums& other) {
  if (!same_spec(shape_, other.shape_)) {
    return sums_refusal("aggregate.other_spec", shape_, std::string(stem_name(other.shape_.stem)),
                        "merge only aggregates that were opened with the same spec");
  }
  if (!has_room(other.used_)) {
    return sums_refusal("aggregate.full", shape_,
                        std::to_string(used_) + " and " + std::to_string(other.used_) + " reports",
                        "close one aggregate before it holds 2^39 reports");
  }
  for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += other.sums_[i];
  used_ += other.used_;
  count_refused(other.refused_);
  return Done{};
}

void Sums::save(std::vector<std::uint8_t>& out) const {
  out.assign(bytes_of(sums_.size()), 0);
  ByteWriter w{out};
  w.u8(k_sums_version);
  w.u8(static_cast<std::uint8_t>(shape_.stem));
  w.bytes(shape_.spec);
  w.u64(used_);
  w.u64(refused_);
  w.u32(static_cast<std::uint32_t>(sums_.size()));
  for (const std::int64_t s : sums_) w.u64(static_cast<std::uint64_t>(s));
  w.bytes(checksum(w.written()));
}

Result<Sums> Sums::load(const SumsShape& shape, std::span<const std::uint8_t> bytes) {
  const std::string size = std::to_string(bytes.size()) + " bytes";
  const std::size_t wanted = bytes_of(shape.count);
  if (bytes.size() < k_sums_head_bytes) return sums_refusal("aggregate.truncated", shape, size, "read the whole file");
  ByteReader in{bytes};
  if (const std::uint8_t version = in.u8(); version != k_sums_version) {
    return sums_refusal("aggregate.bad_version", shape, std::to_string(version), "this program reads version 1");
  }
  const std::uint8_t stem = in.u8();
  Digest spec{};
  for (std::uint8_t& b : spec) b = in.u8();
  if (stem != static_cast<std::uint8_t>(shape.stem) || spec != shape.spec) {
    return sums_refusal("aggregate.other_spec", shape, std::string(stem_name(Stem{stem})),
                        "load it with the spec that it was opened with");
  }
  if (bytes.size() < wanted) return sums_refusal("aggregate.truncated", shape, size, "read the whole file");
  if (bytes.size() > wanted)
    return sums_refusal("aggregate.bytes_left_over", shape, size, "cut it to " + std::to_string(wanted) + " bytes");
  if (!checksum_fits(bytes)) {
    return sums_refusal("aggregate.altered", shape, size, "copy it from its source again: its checksum does not match");
  }
  Sums loaded{shape};
  loaded.used_ = in.u64();
  loaded.refused_ = in.u64();
  const std::uint32_t count = in.u32();
  for (std::int64_t& s : loaded.sums_) s = static_cast<std::int64_t>(in.u64());
  if (count != shape.count || !loaded.plausible()) {
    return sums_refusal("aggregate.implausible", shape, std::to_string(loaded.used_) + " reports",
                        "discard it: no such reports can have made it");
  }
  return loaded;
}

bool Sums::plausible() const noexcept {
  if (used_ > k_reports_max) return false;
  const std::int64_t most = static_cast<std::int64_t>(used_) * shape_.term_max;  // at most 2^62
  std::int64_t total = 0;
  for (const std::int64_t s : sums_) {
    if (s < (shape_.is_histogram ? 0 : -most) || s > most) return false;
    // In a histogram no partial total exceeds `used`; returning as soon as one does keeps the total within 2^40.
    if (shape_.is_histogram && (total += s) > most) return false;
  }
  return !shape_.is_histogram || total == most;
}

}  // namespace sotto::analyzer
