// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sotto/analyzer/model/model.hpp"
#include "sotto/analyzer/protocol/public_design.hpp"
#include "sotto/analyzer/protocol/regression_terms.hpp"
#include "sotto/analyzer/protocol/round_aggregate.hpp"
#include "sotto/analyzer/study/any_spec.hpp"

namespace sotto::analyzer {

/// What a manifest must say before the first report: who is asked when, and what may be asked. It follows from the study alone.
struct ProtocolPlan {
  std::vector<std::uint16_t> weights;  ///< of the cohorts, in the order of the rounds
  std::uint16_t questions = 0;         ///< bit k: question k
  AnySpec first;                       ///< the randomizer of the first round; those of later rounds spend the same
  std::string why = {};                ///< one sentence, where the plan has more to say than the choice of protocol
  /// Squared l2 error that the fleet can be expected to reach; NaN: not known before.
  double predicted_error = std::numeric_limits<double>::quiet_NaN();
};

/// Refuses  protocol.*: nothing that this fleet could answer.
[[nodiscard]] Result<ProtocolPlan> plan_protocol(const RegressionTerms& terms);

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
  /// Refuses  protocol.too_few: fewer than the study's minimum.
  virtual Result<Done> close(const RoundAggregate& aggregate) = 0;
  /// After the last round: everything that follows from the reports. Names, counts and commands are for the caller to add.
  [[nodiscard]] virtual Model model() const = 0;
};

/// The machine of a study. `manifest` must outlive it, and so must `design`: the features of a label study, without which its round can be
/// opened and not closed.
[[nodiscard]] Result<std::unique_ptr<Protocol>> start_protocol(const RegressionTerms& terms, const Manifest& manifest,
                                                               const PublicDesign* design = nullptr);

}  // namespace sotto::analyzer
