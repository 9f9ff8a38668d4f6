// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/report_set.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "checksum.hpp"
#include "saved_set.hpp"
#include "sotto/bytes.hpp"
#include "sotto/sha256.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::string_view k_reports = "set of reports";
constexpr std::size_t k_report_bytes = 8 + 4;

bool is_scalar(const AnySpec& spec) {
  const auto* gaussian = std::get_if<GaussianSpec>(&spec);
  return std::holds_alternative<GrrSpec>(spec) || std::holds_alternative<WindowSpec>(spec) ||
         std::holds_alternative<LaplaceSpec>(spec) || (gaussian != nullptr && gaussian->dimension == 1);
}

}  // namespace

Result<ReportSet> ReportSet::open(const AnySpec& spec) {
  const ChannelFacts facts = facts_of(spec);
  if (!is_scalar(spec)) {
    return Error{"protocol.no_aggregate", "a label or an item is one number, and this randomizer gives none",
                 std::string(facts.stem), "ask with grr, window, laplace, or gaussian of dimension 1"};
  }
  return ReportSet{facts.digest, facts.channel ? facts.channel->outcomes : std::uint32_t{1} << facts.payload_bits};
}

bool ReportSet::absorb(const CoinLabel& label, std::uint32_t number) {
  if (number >= outcomes_) {
    ++refused_;
    return false;
  }
  reports_.push_back({label.pseudonym, number});
  return true;
}

Result<Done> ReportSet::merge(const ReportSet& other) {
  if (spec_ != other.spec_) {
    return other_set(k_reports);
  }
  reports_.insert(reports_.end(), other.reports_.begin(), other.reports_.end());
  refused_ += other.refused_;
  return Done{};
}

std::vector<NamedNumber> ReportSet::sorted() const {
  std::vector<NamedNumber> out = reports_;
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  std::size_t kept = 0;
  for (std::size_t i = 0; i < out.size();) {
    std::size_t end = i + 1;
    while (end < out.size() && out[end].pseudonym == out[i].pseudonym) ++end;
    if (end == i + 1) out[kept++] = out[i];
    i = end;
  }
  out.resize(kept);
  return out;
}

void ReportSet::save(std::vector<std::uint8_t>& out) const {
  const std::vector<NamedNumber> all = sorted();
  out.assign(k_set_head_bytes + k_report_bytes * all.size() + k_checksum_bytes, 0);
  ByteWriter w{out};
  write_set_head(spec_, {refused_, all.size()}, w);
  for (const NamedNumber& r : all) {
    w.u64(r.pseudonym);
    w.u32(r.number);
  }
  w.bytes(checksum(w.written()));
}

Result<ReportSet> ReportSet::load(const AnySpec& spec, std::span<const std::uint8_t> bytes) {
  Result<ReportSet> opened = open(spec);
  if (!opened) return opened.error();
  ReportSet& set = opened.value();
  const Result<SetHead> head = read_set_head(bytes, set.spec_, k_report_bytes, k_reports);
  if (!head) return head.error();
  set.refused_ = head.value().refused;
  const std::uint64_t count = head.value().count;
  ByteReader in{bytes.subspan(k_set_head_bytes)};
  set.reports_.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const NamedNumber next{in.u64(), in.u32()};
    if (next.number >= set.outcomes_ || (i > 0 && next.pseudonym <= set.reports_.back().pseudonym))
      return Error{"aggregate.implausible", std::string(k_reports), fmt::format("report {}", i),
                   "discard it: the randomizer does not give this number, or pseudonyms do not ascend"};
    set.reports_.push_back(next);
  }
  return opened;
}

}  // namespace sotto::analyzer
