// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/vector_set.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "checksum.hpp"
#include "saved_set.hpp"
#include "sotto/analyzer/channel/spec_check.hpp"
#include "sotto/bytes.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::string_view k_vectors = "set of vectors";

std::size_t report_bytes(std::uint32_t dimension) { return 8 + 4 * std::size_t{dimension}; }

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
  if (spec_ != other.spec_) return other_set(k_vectors);
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
  out.assign(k_set_head_bytes + report_bytes(dimension_) * pseudonyms_.size() + k_checksum_bytes, 0);
  ByteWriter w{out};
  write_set_head(spec_, {refused_, pseudonyms_.size()}, w);
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
  const Result<SetHead> head = read_set_head(bytes, set.spec_, report_bytes(set.dimension_), k_vectors);
  if (!head) return head.error();
  set.refused_ = head.value().refused;
  const std::uint64_t count = head.value().count;
  ByteReader in{bytes.subspan(k_set_head_bytes)};
  set.pseudonyms_.reserve(count);
  set.numbers_.reserve(count * set.dimension_);
  for (std::uint64_t i = 0; i < count; ++i) {
    set.pseudonyms_.push_back(in.u64());
    for (std::uint32_t j = 0; j < set.dimension_; ++j) set.numbers_.push_back(static_cast<std::int32_t>(in.u32()));
  }
  return opened;
}

}  // namespace sotto::analyzer
