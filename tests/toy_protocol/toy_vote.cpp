// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "toy_vote.hpp"

#include "sotto/analyzer/data/public_design.hpp"
#include "sotto/analyzer/protocol/frame/round_protocol.hpp"
#include "src/protocol/frame/plan_parts.hpp"
#include "src/protocol/rounds/selection.hpp"

namespace sotto::analyzer {
namespace {

class ToyVote final : public RoundProtocol {
 public:
  ToyVote(const RegressionTerms& terms, const Manifest& manifest) : RoundProtocol(terms, manifest) {}

  [[nodiscard]] Model model() const override {
    Model out = model_;
    out.verdict = Verdict::uncertain;
    out.why_verdict = "a toy knows no more";
    return out;
  }

 private:
  [[nodiscard]] bool is_over() const override { return closed() == 1; }
  [[nodiscard]] Result<RoundDraft> draft() override { return draft_vote(terms_, false, {}, number(), cohort()); }
  Result<Done> record(const RoundAggregate& aggregate) override {
    EmptyShare empty;
    (void)read_selection(terms_, number(), aggregate.votes(), empty, model_);
    return Done{};
  }
};

Result<ProtocolPlan> plan_toy(RegressionTerms& terms) {
  const Result<RoundDraft> first = draft_vote(terms, false, {}, 1, 0);
  if (!first) return first.error();
  return ProtocolPlan{{1}, question_bits({QuestionKind::vote}), first.value().spec};
}

std::unique_ptr<Protocol> start_toy(const RegressionTerms& terms, const ProtocolPlan&, const Manifest& manifest,
                                    const PublicDesign*) {
  return std::make_unique<ToyVote>(terms, manifest);
}

}  // namespace

constinit const ProtocolRow k_toy_vote_row{
    {.name = "toy-vote", .family = "toys", .compared = Compared::with_paper, .takes_tables = true},
    plan_toy,
    start_toy};

}  // namespace sotto::analyzer
