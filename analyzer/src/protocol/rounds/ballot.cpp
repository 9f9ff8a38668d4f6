// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "ballot.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <boost/math/distributions/normal.hpp>

#include "selection.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/propose/vote.hpp"
#include "sotto/analyzer/protocol/rounds/schedule.hpp"
#include "sotto/local/lasso.hpp"
#include "sotto/local/least_squares.hpp"
#include "sotto/local/pick.hpp"

namespace sotto::analyzer {
namespace {

const boost::math::normal k_normal;
constexpr std::uint32_t k_screened = 64, k_visits = 8192;

double needed_score(const RegressionTerms& terms) { return quantile(k_normal, 1 - 1.0 / terms.features); }
double needed_share(const RegressionTerms& terms) { return 1 / (8.0 * terms.sparsity); }

}  // namespace

Result<RoundDraft> draft_ballot(const RegressionTerms& terms, std::uint16_t number, std::uint8_t cohort) {
  Result<RoundDraft> draft = draft_vote(terms, false, {}, number, cohort);
  if (!draft || !terms.paper) return draft;
  RoundDraft& out = draft.value();
  out.recipe = Recipe::lasso;
  out.parameter[recipe::selection::columns] = std::min(k_screened, terms.features);
  out.parameter[recipe::selection::lambda] =
      lambda_rule_q24(terms.features, terms.samples, terms.unit_q15,
                      static_cast<std::uint32_t>(std::lround(terms.noise * terms.unit_q15)));
  out.parameter[recipe::selection::pick] = static_cast<std::uint32_t>(Pick::uniform);
  out.parameter[recipe::selection::visits] = k_visits;
  return draft;
}

Ballot read_ballot(const RegressionTerms& terms, const RoundAggregate& aggregate, Model& model) {
  EmptyShare empty;
  std::vector<double> score = read_selection(terms, 1, aggregate.votes(), empty, model).score;
  model.empty_share = empty.share();
  model.empty_share_error = std::sqrt(empty.variance());
  Ballot out;
  out.needed = needed_score(terms);
  if (terms.paper) {
    score = aggregate.votes().share;
    out.needed = needed_share(terms);
    model.empty_share = model.empty_share_error = 0;
    model.rounds.back().recipe = recipe_name(Recipe::lasso);
  }
  std::vector<std::uint32_t> order(score.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) { return score[a] > score[b]; });
  out.strongest = score[order.front()];
  for (const std::uint32_t j : order) {
    if (score[j] < out.needed || out.chosen.size() == most_chosen(terms)) break;
    out.chosen.push_back(j);
  }
  std::ranges::sort(out.chosen);
  return out;
}

Dilution dilution_of(const Model& model) { return {model.empty_share, model.empty_share_error}; }

std::uint32_t most_chosen(const RegressionTerms& terms) {
  return std::min({terms.sparsity, k_least_squares_columns_max, std::max(1u, terms.samples / 2), terms.features});
}

Result<double> missed_by_votes(const RegressionTerms& terms, double devices) {
  const Result<VoteProposal> vote = propose_vote(terms.epsilon, terms.features);
  if (!vote) return vote.error();
  const double d = terms.features, s = terms.sparsity;
  // The score of a variable that matters on one device, in standard deviations of an irrelevant one.
  const double mu = std::sqrt(terms.samples / s) * terms.norm / std::hypot(terms.noise, terms.norm);
  const double share = chance_of_a_true_vote(mu, d, s) / s;
  const double unit = vote.value().variance + 1 / d, own = unit + share * (1 - share);
  const double short_of = needed_score(terms) * std::sqrt(unit) - share * std::sqrt(devices);
  return terms.norm * terms.norm * cdf(k_normal, short_of / std::sqrt(own));
}

std::vector<double> shrunken(const RegressionTerms& terms, std::vector<double> estimate, double noise) {
  double squares = 0;
  for (const double b : estimate) squares += b * b;
  if (squares <= noise) return std::vector<double>(estimate.size(), 0.0);
  const double kept = 1 - noise / squares, length = kept * std::sqrt(squares);
  for (double& b : estimate) b *= kept * std::min(1.0, terms.norm / length);
  return estimate;
}

void say_nothing_stands_out(const RegressionTerms& terms, const Ballot& ballot, Model& model) {
  model.why_verdict =
      terms.paper ? fmt::format("no variable has the share of votes that is needed: the largest is {:.3f} of {:.3f}",
                                ballot.strongest, ballot.needed)
                  : fmt::format(
                        "no variable stands out of the noise of the votes: the strongest by {:.1f} standard "
                        "errors, {:.1f} are needed",
                        ballot.strongest, ballot.needed);
}

void say_what_was_confirmed(std::size_t asked, Model& model) {
  const auto found = std::ranges::count_if(model.coefficients, [](const Coefficient& c) { return c.found; });
  model.why_verdict = fmt::format(
      "the last cohort confirms {} of the {} variables that were voted for, all of them together at {:.0f} %", found,
      asked, 100 * model.level);
}

}  // namespace sotto::analyzer
