// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/report_set.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "checksum.hpp"
#include "sotto/bytes.hpp"
#include "sotto/sha256.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::uint8_t k_reports_version = 1;
constexpr std::size_t k_reports_head_bytes = 1 + 32 + 8 + 8, k_report_bytes = 8 + 4;

Error reports_refusal(std::string_view code, std::string value, std::string fix) {
  return {code, "set of reports", std::move(value), std::move(fix)};
}

bool is_scalar(const AnySpec& spec) {
  const auto* gaussian = std::get_if<GaussianSpec>(&spec);
  return std::holds_alternative<WindowSpec>(spec) || std::holds_alternative<LaplaceSpec>(spec) ||
         (gaussian != nullptr && gaussian->dimension == 1);
}

}  // namespace

Result<ReportSet> ReportSet::open(const AnySpec& spec) {
  const ChannelFacts facts = facts_of(spec);
  if (!is_scalar(spec)) {
    return Error{"protocol.no_aggregate", "a label is one number, and this randomizer gives none",
                 std::string(facts.stem), "ask with window, laplace, or gaussian of dimension 1"};
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
    return reports_refusal("aggregate.other_spec", "two randomizers",
                           "merge only sets that were opened with the same spec");
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
  out.assign(k_reports_head_bytes + k_report_bytes * all.size() + k_checksum_bytes, 0);
  ByteWriter w{out};
  w.u8(k_reports_version);
  w.bytes(spec_);
  w.u64(refused_);
  w.u64(all.size());
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
  const std::string size = fmt::format("{} bytes", bytes.size());
  if (bytes.size() < k_reports_head_bytes + k_checksum_bytes)
    return reports_refusal("aggregate.truncated", size, "read the whole file");
  ByteReader in{bytes};
  if (const std::uint8_t version = in.u8(); version != k_reports_version)
    return reports_refusal("aggregate.bad_version", fmt::format("{}", version), "this program reads version 1");
  Digest digest{};
  for (std::uint8_t& b : digest) b = in.u8();
  if (digest != set.spec_)
    return reports_refusal("aggregate.other_spec", size, "load it with the spec that it was opened with");
  set.refused_ = in.u64();
  const std::uint64_t count = in.u64(), room = bytes.size() - k_reports_head_bytes - k_checksum_bytes;
  if (room % k_report_bytes != 0 || room / k_report_bytes != count)
    return reports_refusal("aggregate.truncated", fmt::format("{} for {} reports", size, count), "read the whole file");
  if (!checksum_fits(bytes))
    return reports_refusal("aggregate.altered", size, "take it from its source again: its checksum does not fit");
  set.reports_.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const NamedNumber next{in.u64(), in.u32()};
    if (next.number >= set.outcomes_ || (i > 0 && next.pseudonym <= set.reports_.back().pseudonym))
      return reports_refusal("aggregate.implausible", fmt::format("report {}", i),
                             "discard it: no such reports can be");
    set.reports_.push_back(next);
  }
  return opened;
}

}  // namespace sotto::analyzer
