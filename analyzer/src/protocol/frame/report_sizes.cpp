// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/protocol/frame/report_sizes.hpp"

#include <algorithm>

#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/wire/report.hpp"

namespace sotto::analyzer {

Result<Done> ReportSizes::add(const Manifest& manifest, std::span<const std::uint8_t> bytes, std::uint64_t used) {
  const Result<Round> round = read_round(bytes, "the round");
  if (!round) return round.error();
  const Result<AnySpec> spec = round_spec(manifest, round.value());
  if (!spec) return spec.error();
  const ChannelFacts facts = facts_of(spec.value());
  const std::size_t size = report_bytes_of(payload_bytes_of(facts.payload_bits), manifest.authenticated);
  delivered_ = std::max(delivered_, static_cast<double>(facts.delivered) / k_epsilon_one);
  reports_ += static_cast<double>(used);
  bytes_ += static_cast<double>(used * size);
  return Done{};
}

}  // namespace sotto::analyzer
