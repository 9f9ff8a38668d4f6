// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "rounds.hpp"

#include <cmath>
#include <limits>

#include "../frame/plan_parts.hpp"
#include "sotto/analyzer/channel/spec_check.hpp"
#include "sotto/analyzer/propose/vote.hpp"

namespace sotto::analyzer {
namespace {

/// Half the width of the square wave, in units of the range (Li et al. 2020).
double wave_half_width(double epsilon) {
  const double e = std::exp(epsilon);
  return (epsilon * e - e + 1) / (2 * e * (e - 1 - epsilon));
}

template <class Spec>
Result<AnySpec> derived(Spec spec) {
  if (const Status s = derive(spec); s != Status::ok)
    return spec_error(s, Spec::k_stem, std::to_string(spec.epsilon) + " nano-nats");
  if (const auto good = check_spec(spec); !good) return good.error();
  return AnySpec{spec};
}

}  // namespace

Result<AnySpec> category_spec(EpsilonNano epsilon, std::uint32_t categories) {
  if (categories == 2) return derived(GrrSpec{epsilon, categories, 0});
  const Result<VoteProposal> vote = propose_vote(epsilon, categories - 1);  // with "none" as many categories
  if (!vote) return vote.error();
  const std::uint32_t bits = vote.value().spec.bits;
  if (bits == 0) return derived(GrrSpec{epsilon, categories, 0});
  return derived(WalshHashSpec{epsilon, categories, bits, 0});
}

Result<AnySpec> window_spec(EpsilonNano epsilon) {
  constexpr std::uint32_t k_outcomes = k_window_outcomes_max;
  const double half = wave_half_width(static_cast<double>(epsilon) / 1e9);
  std::uint32_t best = 1;
  double distance = std::numeric_limits<double>::infinity();
  for (std::uint32_t width = 1; width + 1 < k_outcomes; ++width) {
    const double off = std::abs((width - 1.0) / (k_outcomes - width) / 2 - half);
    if (off < distance) {
      distance = off;
      best = width;
    }
  }
  return derived(WindowSpec{epsilon, k_outcomes, best, 0});
}

double category_variance(EpsilonNano epsilon, std::uint32_t categories) {
  if (categories == 2) {
    const double e = std::exp(static_cast<double>(epsilon) / 1e9);
    return e / ((e - 1) * (e - 1));
  }
  const Result<VoteProposal> vote = propose_vote(epsilon, categories - 1);
  return vote ? vote.value().variance : std::numeric_limits<double>::infinity();
}

RoundDraft number_draft(const RegressionTerms& terms, const AnySpec& spec, std::uint16_t number, std::uint8_t cohort,
                        std::vector<NumberPair> pairs) {
  RoundDraft draft{QuestionKind::number, Recipe::number, number, cohort, spec, {}, {}, std::move(pairs)};
  const NumberTerms& asked = terms.everyday->number;
  draft.parameter[recipe::number::rule] = asked.rule;
  draft.parameter[recipe::number::missing] = static_cast<std::uint32_t>(asked.missing);
  return draft;
}

Shares shares_of(const CategoryCounts& counts) {
  Shares out;
  const auto n = static_cast<double>(counts.used);
  out.reports = counts.used;
  out.noise = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < counts.count.size(); ++i) {
    const double share = counts.count[i] / n, noise = counts.standard_error[i] / n;
    const double held = std::min(std::max(share, 0.0), 1.0);
    out.share.push_back(share);
    out.error.push_back(std::sqrt(noise * noise + held * (1 - held) / n));
    out.noise = std::min(out.noise, noise);
  }
  return out;
}

ProtocolPlan number_plan(const std::vector<double>& shares, AnySpec first, std::string why) {
  ProtocolPlan plan{share_weights(shares), question_bits({QuestionKind::number}), std::move(first)};
  plan.why = std::move(why);
  return plan;
}

std::vector<double> period_shares(const EverydayTerms& terms, double of) {
  return std::vector<double>(terms.periods, of / terms.periods);
}

}  // namespace sotto::analyzer
