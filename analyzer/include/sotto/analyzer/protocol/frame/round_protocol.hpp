// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The base class of all protocols: it opens, writes, checks and closes rounds. A protocol overrides what it asks and
/// what follows from the reports.

#include <cstdint>
#include <optional>
#include <vector>

#include "sotto/analyzer/protocol/frame/protocol.hpp"
#include "sotto/analyzer/protocol/frame/round_draft.hpp"
#include "sotto/analyzer/study/regression_terms.hpp"
#include "sotto/wire/manifest.hpp"

namespace sotto::analyzer {

/// Implements open() and close(): drafts a round, writes it, refuses to close it with fewer reports than the minimum,
/// and records its result.
class RoundProtocol : public Protocol {
 public:
  [[nodiscard]] Result<std::optional<std::vector<std::uint8_t>>> open() final;
  Result<Done> close(const RoundAggregate& aggregate) final;

 protected:
  RoundProtocol(const RegressionTerms& terms, const Manifest& manifest);

  /// Whether there are no more rounds, also because the plan found that nothing can be learned.
  [[nodiscard]] virtual bool is_over() const = 0;
  /// The next round, after closed() others.
  [[nodiscard]] virtual Result<RoundDraft> draft() = 0;
  /// Called with the draft as devices see it, with rounded values.
  virtual void written(const RoundDraft&) {}
  /// The least number of reports with which the open round can close: the study's minimum unless the protocol overrides
  /// it.
  [[nodiscard]] virtual std::uint32_t minimum() const { return terms_.minimum; }
  /// Evaluates the reports of the open round, of which there are enough. A refusal leaves the round open.
  virtual Result<Done> record(const RoundAggregate& aggregate) = 0;
  /// Called after each round, once it counts as closed.
  virtual void prepare_next() {}

  [[nodiscard]] std::size_t closed() const noexcept { return closed_; }
  /// Number and cohort of the open round. Each round has its own cohort, in ascending order.
  [[nodiscard]] std::uint16_t number() const noexcept { return static_cast<std::uint16_t>(closed_ + 1); }
  [[nodiscard]] std::uint8_t cohort() const noexcept { return static_cast<std::uint8_t>(closed_); }

  RegressionTerms terms_;
  Model model_;  ///< the records of the rounds, and other results so far

 private:
  Digest study_;
  std::size_t closed_ = 0;
};

}  // namespace sotto::analyzer
