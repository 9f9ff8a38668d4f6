// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sotto/analyzer/aggregate/round_aggregate.hpp"
#include "sotto/analyzer/model/model.hpp"

namespace sotto::analyzer {

/// The analyzer's state machine. Rounds open and close one after the other; in between, reports of the open round become a
/// RoundAggregate by absorb() and merge(), in any order and grouping. Nothing here is random: the same sums give the same rounds
/// and the same model, so a run that was cut goes on by closing the stored rounds again.
class Protocol {
 public:
  Protocol() = default;
  Protocol(const Protocol&) = delete;
  Protocol& operator=(const Protocol&) = delete;
  virtual ~Protocol() = default;

  /// The bytes of the next round; nothing when the model is ready.
  [[nodiscard]] virtual Result<std::optional<std::vector<std::uint8_t>>> open() = 0;
  /// The open round's reports are in.
  /// Refuses  protocol.too_few: fewer than the study's minimum, or than the protocol declares in its place (RoundProtocol::minimum()):
  ///          ldp-iht never closes below 2, and a step of multi-round closes with one report for each variable that was chosen.
  virtual Result<Done> close(const RoundAggregate& aggregate) = 0;
  /// After the last round: everything that follows from the reports. Names, counts and commands are for the caller to add.
  [[nodiscard]] virtual Model model() const = 0;
};

}  // namespace sotto::analyzer
