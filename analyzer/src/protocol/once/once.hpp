// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <memory>
#include <vector>

#include "sotto/analyzer/protocol/frame/protocol.hpp"
#include "sotto/analyzer/protocol/frame/round_draft.hpp"
#include "sotto/analyzer/protocol/once/ways.hpp"
#include "sotto/analyzer/study/protocol_plan.hpp"

namespace sotto::analyzer {

/// One way to collect once: what is asked, and how far off its answer is expected to be.
struct OnceAsk {
  OnceWay way = OnceWay::paper;
  RoundDraft draft;
  /// Expected error relative to a model that says nothing: of a mean or coefficients the length, of a function the root mean square.
  double predicted = 1;
  /// How many times too large the prediction may be: it chooses among ways, and is kind to none.
  double slack = 1;
  /// Devices at which the expected error is a half, if the prediction is too large by the slack.
  double needed = 0;
};

/// What one way asks.
/// Refuses  protocol.no_way: the protocol does not know it, or the study does not allow what it takes (delta, a known design, so many
///          features).
[[nodiscard]] Result<OnceAsk> ask_once(const RegressionTerms& terms, OnceWay way);
/// Settles an automatic way: the least predicted error of those that the study allows. Says why in terms.why_protocol.
/// Refuses  what ask_once() refuses, when it refuses every way; protocol.small_fleet: the way is known to learn nothing, with the
///          devices that it would take. Nobody is asked for nothing.
Result<Done> settle_way(RegressionTerms& terms);

/// The study's round and what becomes of its reports. `manifest` must outlive it.
[[nodiscard]] Result<std::unique_ptr<Protocol>> start_once(const RegressionTerms& terms, const Manifest& manifest);
[[nodiscard]] Result<ProtocolPlan> once_manifest(const RegressionTerms& terms);

/// One round, everybody asked.
class Once : public Protocol {
 public:
  Once(const RegressionTerms& terms, OnceAsk ask, const Manifest& manifest)
      : terms_(terms), ask_(std::move(ask)), manifest_(manifest) {}

  [[nodiscard]] Result<std::optional<std::vector<std::uint8_t>>> open() final;
  Result<Done> close(const RoundAggregate& aggregate) final;
  [[nodiscard]] Model model() const final { return model_; }

 protected:
  /// What the reports say; fills in everything but the round's record.
  virtual void learn(const RoundAggregate& aggregate, Model& model) = 0;
  [[nodiscard]] const OnceTerms& once() const { return *terms_.once; }
  /// Grid steps of the features' and of the target's ball in the round, and their radius.
  [[nodiscard]] double feature_step() const;
  [[nodiscard]] double target_step() const;

  RegressionTerms terms_;
  OnceAsk ask_;
  const Manifest& manifest_;

 private:
  Model model_;
  bool closed_ = false;
};

[[nodiscard]] std::unique_ptr<Protocol> mean_once(const RegressionTerms& terms, OnceAsk ask, const Manifest& manifest);
[[nodiscard]] std::unique_ptr<Protocol> regression_once(const RegressionTerms& terms, OnceAsk ask,
                                                        const Manifest& manifest);
[[nodiscard]] std::unique_ptr<Protocol> kernel_once(const RegressionTerms& terms, OnceAsk ask,
                                                    const Manifest& manifest);
[[nodiscard]] std::unique_ptr<Protocol> glm_once(const RegressionTerms& terms, OnceAsk ask, const Manifest& manifest);

/// A coefficient with a standard error; the list is sorted and tested by finish_coefficients().
void add_coefficient(std::uint32_t feature, double estimate, double standard_error, Model& model);
/// Strongest first; found by Holm's rule over `tests` at the model's level.
void finish_coefficients(std::size_t tests, Model& model);
/// learned below an error of a half, relative to what was learned; cannot learn where noise is all there is.
void judge_once(double relative_error, std::string_view what, Model& model);

}  // namespace sotto::analyzer
