// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The interface of all protocols: a state machine that opens rounds, takes the aggregates of their reports, and
/// computes a model at the end.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sotto/analyzer/aggregate/round_aggregate.hpp"
#include "sotto/analyzer/model/model.hpp"

namespace sotto::analyzer {

/// A protocol in progress. Rounds open and close one after the other. The reports of the open round are aggregated in a
/// RoundAggregate by absorb() and merge(), in any order and grouping. A protocol uses no randomness: the same sums give
/// the same rounds and the same model, so an interrupted run continues by closing the stored rounds again.
class Protocol {
 public:
  Protocol() = default;
  Protocol(const Protocol&) = delete;
  Protocol& operator=(const Protocol&) = delete;
  virtual ~Protocol() = default;

  /// Opens the next round and returns its bytes; nothing if the model is ready.
  [[nodiscard]] virtual Result<std::optional<std::vector<std::uint8_t>>> open() = 0;
  /// Closes the open round with the aggregate of its reports.
  /// Refuses  protocol.too_few: fewer reports than the study's minimum, or than the protocol's own
  ///          (RoundProtocol::minimum()): ldp-iht needs at least 2, and a step of multi-round one for each chosen
  ///          variable.
  virtual Result<Done> close(const RoundAggregate& aggregate) = 0;
  /// The model, after the last round: everything that follows from the reports. The caller adds names, counts and
  /// commands.
  [[nodiscard]] virtual Model model() const = 0;
};

}  // namespace sotto::analyzer
