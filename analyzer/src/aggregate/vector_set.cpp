// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/vector_set.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "checksum.hpp"
#include "sotto/analyzer/channel/spec_check.hpp"
#include "sotto/bytes.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::uint8_t k_vectors_version = 1;
constexpr std::size_t k_vectors_head_bytes = 1 + 32 + 8 + 8;

std::size_t report_bytes(std::uint32_t dimension) { return 8 + 4 * std::size_t{dimension}; }

Error vectors_refusal(std::string_view code, std::string value, std::string fix) {
  return {code, "set of vectors", std::move(value), std::move(fix)};
}

}  // namespace

Result<VectorSet> VectorSet::open(const GaussianSpec& spec) {
  if (const auto checked = check_spec(spec); !checked) return checked.error();
  return VectorSet{digest_of(spec), spec.dimension};
}

bool VectorSet::absorb(std::uint64_t pseudonym, std::span<const std::int32_t> report) {
  if (report.size() != dimension_ || pseudonyms_.size() == std::numeric_limits<std::uint32_t>::max()) {
    ++refused_;
    return false;
  }
  pseudonyms_.push_back(pseudonym);
  numbers_.insert(numbers_.end(), report.begin(), report.end());
  return true;
}

Result<Done> VectorSet::merge(const VectorSet& other) {
  if (spec_ != other.spec_)
    return vectors_refusal("aggregate.other_spec", "two randomizers",
                           "merge only sets that were opened with the same spec");
  pseudonyms_.insert(pseudonyms_.end(), other.pseudonyms_.begin(), other.pseudonyms_.end());
  numbers_.insert(numbers_.end(), other.numbers_.begin(), other.numbers_.end());
  refused_ += other.refused_;
  return Done{};
}

std::vector<std::uint32_t> VectorSet::order() const {
  std::vector<std::uint32_t> order(pseudonyms_.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, {}, [this](std::uint32_t at) { return pseudonyms_[at]; });
  return order;
}

void VectorSet::save(std::vector<std::uint8_t>& out) const {
  out.assign(k_vectors_head_bytes + report_bytes(dimension_) * pseudonyms_.size() + k_checksum_bytes, 0);
  ByteWriter w{out};
  w.u8(k_vectors_version);
  w.bytes(spec_);
  w.u64(refused_);
  w.u64(pseudonyms_.size());
  for (const std::uint32_t at : order()) {
    w.u64(pseudonyms_[at]);
    for (const std::int32_t v : report(at)) w.u32(static_cast<std::uint32_t>(v));
  }
  w.bytes(checksum(w.written()));
}

Result<VectorSet> VectorSet::load(const GaussianSpec& spec, std::span<const std::uint8_t> bytes) {
  Result<VectorSet> opened = open(spec);
  if (!opened) return opened.error();
  VectorSet& set = opened.value();
  const std::string size = fmt::format("{} bytes", bytes.size());
  if (bytes.size() < k_vectors_head_bytes + k_checksum_bytes)
    return vectors_refusal("aggregate.truncated", size, "read the whole file");
  ByteReader in{bytes};
  if (const std::uint8_t version = in.u8(); version != k_vectors_version)
    return vectors_refusal("aggregate.bad_version", fmt::format("{}", version), "this program reads version 1");
  Digest digest{};
  for (std::uint8_t& b : digest) b = in.u8();
  if (digest != set.spec_)
    return vectors_refusal("aggregate.other_spec", size, "load it with the spec that it was opened with");
  set.refused_ = in.u64();
  const std::uint64_t count = in.u64(), room = bytes.size() - k_vectors_head_bytes - k_checksum_bytes;
  if (room % report_bytes(set.dimension_) != 0 || room / report_bytes(set.dimension_) != count)
    return vectors_refusal("aggregate.truncated", fmt::format("{} for {} reports", size, count), "read the whole file");
  if (!checksum_fits(bytes))
    return vectors_refusal("aggregate.altered", size, "take it from its source again: its checksum does not fit");
  set.pseudonyms_.reserve(count);
  set.numbers_.reserve(count * set.dimension_);
  for (std::uint64_t i = 0; i < count; ++i) {
    set.pseudonyms_.push_back(in.u64());
    for (std::uint32_t j = 0; j < set.dimension_; ++j) set.numbers_.push_back(static_cast<std::int32_t>(in.u32()));
  }
  return opened;
}

}  // namespace sotto::analyzer
