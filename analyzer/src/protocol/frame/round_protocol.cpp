// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/protocol/frame/round_protocol.hpp"

#include <fmt/format.h>

namespace sotto::analyzer {

RoundProtocol::RoundProtocol(const RegressionTerms& terms, const Manifest& manifest)
    : terms_(terms), study_(manifest_digest(manifest)) {}

Result<std::optional<std::vector<std::uint8_t>>> RoundProtocol::open() {
  if (is_over()) return std::optional<std::vector<std::uint8_t>>{};
  Result<RoundDraft> made = draft();
  if (!made) return made.error();
  Result<std::vector<std::uint8_t>> bytes = write_round(made.value(), study_, terms_.rounds.of(made.value().number));
  if (!bytes) return bytes.error();
  written(made.value());
  return std::optional(std::move(bytes).value());
}

Result<Done> RoundProtocol::close(const RoundAggregate& aggregate) {
  if (aggregate.used() < minimum()) {
    return Error{"protocol.too_few", fmt::format("round {} has too few reports to close", number()),
                 fmt::format("{} used, {} needed", aggregate.used(), minimum()),
                 "collect more, or lower study.minimum"};
  }
  if (const auto recorded = record(aggregate); !recorded) return recorded;
  ++closed_;
  prepare_next();
  return Done{};
}

}  // namespace sotto::analyzer
