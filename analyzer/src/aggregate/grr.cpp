// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/grr.hpp"

#include <cmath>

#include "sotto/analyzer/aggregate/histogram.hpp"
#include "sotto/analyzer/channel/spec_check.hpp"
#include "sotto/analyzer/channel/support_odds.hpp"

namespace sotto::analyzer {

namespace {
SumsShape shape_of(const GrrSpec& spec, Stem stem, const Digest& name) {
  return {.stem = stem, .spec = name, .count = spec.categories, .term_max = 1, .is_histogram = true};
}
}  // namespace

Result<GrrAggregate> GrrAggregate::open(const GrrSpec& spec) { return open(spec, GrrSpec::k_stem, digest_of(spec)); }

Result<GrrAggregate> GrrAggregate::open(const GrrSpec& spec, Stem stem, const Digest& name) {
  if (const auto checked = check_spec(spec); !checked.ok()) return checked.error();
  return GrrAggregate{spec, Sums{shape_of(spec, stem, name)}};
}

bool GrrAggregate::absorb(std::uint32_t report) noexcept { return count_report(sums_, report); }

std::uint64_t GrrAggregate::absorb(std::span<const std::uint32_t> reports) { return count_reports(sums_, reports); }

Result<GrrAggregate> GrrAggregate::load(const GrrSpec& spec, std::span<const std::uint8_t> bytes) {
  return load(spec, GrrSpec::k_stem, digest_of(spec), bytes);
}

Result<GrrAggregate> GrrAggregate::load(const GrrSpec& spec, Stem stem, const Digest& name,
                                        std::span<const std::uint8_t> bytes) {
  if (const auto checked = check_spec(spec); !checked.ok()) return checked.error();
  auto sums = Sums::load(shape_of(spec, stem, name), bytes);
  if (!sums.ok()) return sums.error();
  return GrrAggregate{spec, std::move(sums).value()};
}

CategoryCounts GrrAggregate::close() const {
  CategoryCounts out;
  out.used = sums_.used();
  out.refused = sums_.refused();
  const auto n = static_cast<double>(out.used);
  const SupportOdds odds = response_odds(channel(spec_));
  for (const std::int64_t seen : sums_.values()) {
    const double count = (static_cast<double>(seen) - n * odds.other) / (odds.own - odds.other);
    out.count.push_back(count);
    out.standard_error.push_back(out.used == 0 ? 0 : std::sqrt(n * odds.variance(count / n)));
  }
  return out;
}

}  // namespace sotto::analyzer
