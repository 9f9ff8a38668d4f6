// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sotto/analyzer/protocol/frame/protocol.hpp"
#include "sotto/analyzer/protocol/frame/round_draft.hpp"
#include "sotto/analyzer/study/regression_terms.hpp"
#include "sotto/wire/manifest.hpp"

namespace sotto::analyzer {

/// What every protocol does with its rounds: drafts one, writes it, refuses to close it below its minimum, and records what it taught.
/// A protocol says what is asked and what follows; where it differs from the others, it declares that here.
class RoundProtocol : public Protocol {
 public:
  [[nodiscard]] Result<std::optional<std::vector<std::uint8_t>>> open() final;
  Result<Done> close(const RoundAggregate& aggregate) final;

 protected:
  RoundProtocol(const RegressionTerms& terms, const Manifest& manifest);

  /// Is nothing asked any more? Also where the plan says that nothing could be learned.
  [[nodiscard]] virtual bool is_over() const = 0;
  /// The round after closed() others.
  [[nodiscard]] virtual Result<RoundDraft> draft() = 0;
  /// The draft as devices see it: its values were rounded.
  virtual void written(const RoundDraft&) {}
  /// Reports below which the open round does not close: the study's minimum, unless the protocol declares another.
  [[nodiscard]] virtual std::uint32_t minimum() const { return terms_.minimum; }
  /// The open round's reports, enough of them. A refusal leaves the round open.
  virtual Result<Done> record(const RoundAggregate& aggregate) = 0;
  /// After every round, when it counts as closed.
  virtual void prepare_next() {}

  [[nodiscard]] std::size_t closed() const noexcept { return closed_; }
  /// Of the open round. Rounds have cohorts of their own, in their order.
  [[nodiscard]] std::uint16_t number() const noexcept { return static_cast<std::uint16_t>(closed_ + 1); }
  [[nodiscard]] std::uint8_t cohort() const noexcept { return static_cast<std::uint8_t>(closed_); }

  RegressionTerms terms_;
  Model model_;  ///< the rounds' records, and what else is known so far

 private:
  Digest study_;
  std::size_t closed_ = 0;
};

}  // namespace sotto::analyzer
