// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <memory>
#include <vector>

#include "sotto/analyzer/protocol/frame/round_draft.hpp"
#include "sotto/analyzer/protocol/frame/round_protocol.hpp"
#include "sotto/analyzer/protocol/frame/row.hpp"
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

/// What one way of a protocol asks.
/// Refuses  protocol.no_way: the study does not allow what it takes (delta, a known design, so many features).
using AskOnce = Result<OnceAsk> (*)(const RegressionTerms& terms, OnceWay way);
[[nodiscard]] Result<OnceAsk> ask_mean(const RegressionTerms& terms, OnceWay way);
[[nodiscard]] Result<OnceAsk> ask_regression(const RegressionTerms& terms, OnceWay way);
[[nodiscard]] Result<OnceAsk> ask_kernel(const RegressionTerms& terms, OnceWay way);
[[nodiscard]] Result<OnceAsk> ask_glm(const RegressionTerms& terms, OnceWay way);
[[nodiscard]] Error no_way(const RegressionTerms& terms, OnceWay way, std::string what, std::string fix);

/// Settles an automatic way, the least predicted error of those that the study allows, and says why in terms.why_protocol.
/// Refuses  protocol.no_way: the protocol does not know it, or every way is refused; protocol.small_fleet: the way is known to learn
///          nothing, with the devices that it would take. Nobody is asked for nothing.
[[nodiscard]] Result<ProtocolPlan> plan_once(RegressionTerms& terms, AskOnce ask_one);

/// One round, everybody asked.
class Once : public RoundProtocol {
 public:
  /// `manifest` must outlive it.
  Once(const RegressionTerms& terms, OnceAsk ask, const Manifest& manifest)
      : RoundProtocol(terms, manifest), ask_(std::move(ask)), manifest_(manifest) {}

  [[nodiscard]] Model model() const final { return model_; }

 protected:
  /// What the reports say; fills in everything but the round's record.
  virtual void learn(const RoundAggregate& aggregate, Model& model) = 0;
  [[nodiscard]] const OnceTerms& once() const { return *terms_.once; }
  /// Grid steps of the features' and of the target's ball in the round, and their radius.
  [[nodiscard]] double feature_step() const;
  [[nodiscard]] double target_step() const;

  OnceAsk ask_;
  const Manifest& manifest_;

 private:
  [[nodiscard]] bool is_over() const final { return closed() == 1; }
  [[nodiscard]] Result<RoundDraft> draft() final { return ask_.draft; }
  /// What the protocol knows of the draft is what devices see.
  void written(const RoundDraft& draft) final { ask_.draft = draft; }
  Result<Done> record(const RoundAggregate& aggregate) final;
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

extern const ProtocolRow k_mean_once_row;
extern const ProtocolRow k_regression_once_row;
extern const ProtocolRow k_kernel_once_row;
extern const ProtocolRow k_glm_once_row;

}  // namespace sotto::analyzer
