// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Protocols that collect once: all devices answer one round, and a mean, a regression, a kernel regression or a
/// generalized linear model is computed from it. Each has several ways to ask; the plan chooses the one with the
/// smallest predicted error.

#include <memory>
#include <vector>

#include "sotto/analyzer/protocol/frame/round_draft.hpp"
#include "sotto/analyzer/protocol/frame/round_protocol.hpp"
#include "sotto/analyzer/protocol/frame/row.hpp"
#include "sotto/analyzer/study/protocol_plan.hpp"

namespace sotto::analyzer {

/// One way to collect once: the round, and its predicted error.
struct OnceAsk {
  OnceWay way = OnceWay::paper;
  RoundDraft draft;
  /// Predicted error relative to the zero model: the l2 norm for a mean or coefficients, the root mean square for a
  /// function.
  double predicted = 1;
  /// The factor by which the prediction may be too large. Predictions serve to choose a way and are not conservative.
  double slack = 1;
  /// The number of devices at which the error is a half, if the prediction is too large by the slack.
  double needed = 0;
};

/// What one way of a protocol asks.
/// Refuses  protocol.no_way: the study does not allow what the way needs (a delta, a known design, few features).
using AskOnce = Result<OnceAsk> (*)(const RegressionTerms& terms, OnceWay way);
[[nodiscard]] Result<OnceAsk> ask_mean(const RegressionTerms& terms, OnceWay way);
[[nodiscard]] Result<OnceAsk> ask_regression(const RegressionTerms& terms, OnceWay way);
[[nodiscard]] Result<OnceAsk> ask_kernel(const RegressionTerms& terms, OnceWay way);
[[nodiscard]] Result<OnceAsk> ask_glm(const RegressionTerms& terms, OnceWay way);
[[nodiscard]] Error no_way(const RegressionTerms& terms, OnceWay way, std::string what, std::string fix);

/// Chooses an automatic way, the one with the smallest predicted error among those that the study allows, and adds the
/// reason to terms.why_protocol.
/// Refuses  protocol.no_way: the protocol does not have the way, or every way is refused; protocol.small_fleet: the way
///          is predicted to learn nothing, with the number of devices that it needs. Devices are not asked in vain.
[[nodiscard]] Result<ProtocolPlan> plan_once(RegressionTerms& terms, AskOnce ask_one);

/// The protocol: one round to all devices.
class Once : public RoundProtocol {
 public:
  /// `manifest` must outlive it.
  Once(const RegressionTerms& terms, OnceAsk ask, const Manifest& manifest)
      : RoundProtocol(terms, manifest), ask_(std::move(ask)), manifest_(manifest) {}

  [[nodiscard]] Model model() const final { return model_; }

 protected:
  /// Computes the model from the reports, except for the round's record.
  virtual Result<Done> learn(const RoundAggregate& aggregate, Model& model) = 0;
  [[nodiscard]] const OnceTerms& once() const { return *terms_.once; }
  /// The size of one grid step of a feature and of the target in the round.
  [[nodiscard]] double feature_step() const;
  [[nodiscard]] double target_step() const;

  OnceAsk ask_;
  const Manifest& manifest_;

 private:
  [[nodiscard]] bool is_over() const final { return closed() == 1; }
  [[nodiscard]] Result<RoundDraft> draft() final { return ask_.draft; }
  /// Keeps the draft as devices see it.
  void written(const RoundDraft& draft) final { ask_.draft = draft; }
  Result<Done> record(const RoundAggregate& aggregate) final;
};

[[nodiscard]] std::unique_ptr<Protocol> mean_once(const RegressionTerms& terms, OnceAsk ask, const Manifest& manifest);
[[nodiscard]] std::unique_ptr<Protocol> regression_once(const RegressionTerms& terms, OnceAsk ask,
                                                        const Manifest& manifest);
[[nodiscard]] std::unique_ptr<Protocol> kernel_once(const RegressionTerms& terms, OnceAsk ask,
                                                    const Manifest& manifest);
[[nodiscard]] std::unique_ptr<Protocol> glm_once(const RegressionTerms& terms, OnceAsk ask, const Manifest& manifest);

/// Adds a coefficient with its standard error; finish_coefficients() sorts and tests the list.
void add_coefficient(std::uint32_t feature, double estimate, double standard_error, Model& model);
/// Sorts by size, and marks as found what Holm's procedure confirms over `tests` at the model's level.
void finish_coefficients(std::size_t tests, Model& model);
/// Says how large the error is, relative to what was estimated. Where noise explains nearly all of it, nothing is left.
void keep_beyond_noise(double relative_error, std::string_view what, Model& model);

extern const ProtocolRow k_mean_once_row;
extern const ProtocolRow k_regression_once_row;
extern const ProtocolRow k_kernel_once_row;
extern const ProtocolRow k_glm_once_row;

}  // namespace sotto::analyzer
