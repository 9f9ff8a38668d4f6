// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/vote.hpp"

#include <limits>

#include "sotto/analyzer/channel/spec_check.hpp"

namespace sotto::analyzer {

namespace {
bool is_grr(const VoteSpec& spec) noexcept { return spec.oracle == static_cast<std::uint32_t>(VoteOracle::grr); }
}  // namespace

Result<VoteAggregate> VoteAggregate::open(const VoteSpec& spec) {
  if (const auto checked = check_spec(spec); !checked.ok()) return checked.error();
  const auto wrap = [&spec](auto oracle) -> Result<VoteAggregate> {
    if (!oracle.ok()) return oracle.error();
    return VoteAggregate{spec, std::move(oracle).value()};
  };
  const Digest name = digest_of(spec);
  if (is_grr(spec)) return wrap(GrrAggregate::open(as_grr(spec), VoteSpec::k_stem, name));
  return wrap(WalshHashAggregate::open(as_walsh_hash(spec), VoteSpec::k_stem, name));
}

bool VoteAggregate::absorb(const CoinLabel& label, std::uint32_t report) noexcept {
  if (auto* grr = std::get_if<GrrAggregate>(&oracle_)) return grr->absorb(report);
  return std::get_if<WalshHashAggregate>(&oracle_)->absorb(label, report);
}

std::uint64_t VoteAggregate::absorb(const std::uint8_t* study_seed, std::uint16_t round,
                                    std::span<const CoinReport> reports) noexcept {
  if (auto* hash = std::get_if<WalshHashAggregate>(&oracle_)) return hash->absorb(study_seed, round, reports);
  auto& grr = *std::get_if<GrrAggregate>(&oracle_);
  std::uint64_t used = 0;
  for (const CoinReport& r : reports) used += grr.absorb(r.report) ? 1 : 0;
  return used;
}

Result<Done> VoteAggregate::merge(const VoteAggregate& other) {
  // Equal digests imply equal oracles; Sums::merge() compares the digests, so that different oracles are never added.
  if (auto* grr = std::get_if<GrrAggregate>(&oracle_)) {
    if (const auto* from = std::get_if<GrrAggregate>(&other.oracle_)) return grr->merge(*from);
  } else if (const auto* from = std::get_if<WalshHashAggregate>(&other.oracle_)) {
    return std::get_if<WalshHashAggregate>(&oracle_)->merge(*from);
  }
  return Error{"aggregate.other_spec", "aggregate of vote", spec_text(other.spec_),
               "merge only aggregates that were opened with the same spec"};
}

void VoteAggregate::save(std::vector<std::uint8_t>& out) const { sums().save(out); }

Result<VoteAggregate> VoteAggregate::load(const VoteSpec& spec, std::span<const std::uint8_t> bytes) {
  if (const auto checked = check_spec(spec); !checked.ok()) return checked.error();
  const auto wrap = [&spec](auto oracle) -> Result<VoteAggregate> {
    if (!oracle.ok()) return oracle.error();
    return VoteAggregate{spec, std::move(oracle).value()};
  };
  const Digest name = digest_of(spec);
  if (is_grr(spec)) return wrap(GrrAggregate::load(as_grr(spec), VoteSpec::k_stem, name, bytes));
  return wrap(WalshHashAggregate::load(as_walsh_hash(spec), VoteSpec::k_stem, name, bytes));
}

const Sums& VoteAggregate::sums() const noexcept {
  if (const auto* grr = std::get_if<GrrAggregate>(&oracle_)) return grr->sums();
  return std::get_if<WalshHashAggregate>(&oracle_)->sums();
}

VoteShares VoteAggregate::close() const {
  CategoryCounts counts = std::visit([](const auto& oracle) { return oracle.close(); }, oracle_);
  const auto n = static_cast<double>(counts.used);
  for (double& c : counts.count) c = counts.used == 0 ? 0 : c / n;
  for (double& e : counts.standard_error) e = counts.used == 0 ? std::numeric_limits<double>::infinity() : e / n;
  VoteShares out;
  out.none = counts.count.back();
  out.none_standard_error = counts.standard_error.back();
  counts.count.pop_back();
  counts.standard_error.pop_back();
  out.share = std::move(counts.count);
  out.standard_error = std::move(counts.standard_error);
  out.used = counts.used;
  out.refused = counts.refused;
  return out;
}

}  // namespace sotto::analyzer
