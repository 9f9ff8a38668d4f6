// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "selection.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/propose/vote.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::size_t k_votes_kept = 64;
constexpr double k_empty_max = 0.8;

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 == 1) return *middle;
  return 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

void keep_votes(const VoteShares& votes, Model& model) {
  std::vector<std::uint32_t> order(votes.share.size());
  std::iota(order.begin(), order.end(), 0u);
  const std::size_t kept = std::min(k_votes_kept, order.size());
  std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(kept),
                            [&](std::uint32_t a, std::uint32_t b) {
                              return votes.share[a] != votes.share[b] ? votes.share[a] > votes.share[b] : a < b;
                            });
  for (std::size_t i = 0; i < kept; ++i)
    model.votes.push_back({"", order[i], votes.share[order[i]], votes.standard_error[order[i]]});
}

}  // namespace

void EmptyShare::add(double share, double variance) noexcept {
  if (!(variance > 0) || !std::isfinite(variance)) return;
  weighted_ += share / variance;
  precision_ += 1 / variance;
}

double EmptyShare::share() const noexcept {
  if (precision_ == 0) return 0;
  const double share = weighted_ / precision_;
  return share > 2 / std::sqrt(precision_) ? std::min(share, k_empty_max) : 0;
}

bool EmptyShare::is_most() const noexcept { return share() >= k_empty_max; }

double EmptyShare::variance() const noexcept { return share() > 0 ? 1 / precision_ : 0; }

Selection read_selection(const RegressionTerms& terms, std::size_t round, const VoteShares& votes, EmptyShare& empty,
                         Model& model) {
  const double n = static_cast<double>(std::max<std::uint64_t>(1, votes.used));
  const Result<VoteProposal> oracle = propose_vote(terms.epsilon, terms.features);  // it succeeded for the round
  // The noise of privacy, and of irrelevant variables that are strongest on a device by chance.
  const double error = std::sqrt((oracle.value().variance + 1.0 / terms.features) / n);
  const double middle = median(votes.share);
  Selection out{votes.share, {}};
  for (const double share : votes.share) out.score.push_back((share - middle) / error);
  empty.add(votes.none, votes.none_standard_error * votes.none_standard_error);
  if (model.votes.empty()) keep_votes(votes, model);
  const Recipe recipe = terms.protocol->learned == Learned::mean ? Recipe::largest_mean : Recipe::screen;
  model.rounds.push_back({static_cast<std::uint16_t>(round), "vote", std::string(recipe_name(recipe)), terms.features,
                          0, votes.used, error});
  return out;
}

RoundRecord record_of(std::size_t round, const DirectionQuestion& question, const DirectionAnswer& answer) {
  constexpr Recipe k_recipes[] = {Recipe::least_squares, Recipe::gradient, Recipe::means};
  double noise = 0;
  for (const double e : answer.noise_error) noise += e / static_cast<double>(answer.noise_error.size());
  return {static_cast<std::uint16_t>(round),
          "direction",
          std::string(recipe_name(k_recipes[static_cast<std::size_t>(question.answer)])),
          static_cast<std::uint32_t>(question.centre.size()),
          question.radius,
          answer.used,
          noise};
}

void divide_out_empty(const Model& model, DirectionAnswer& answer) {
  const double held = 1 - model.empty_share;
  for (std::size_t j = 0; j < answer.mean.size(); ++j) {
    answer.mean[j] /= held;
    // The share is itself an estimate.
    answer.standard_error[j] =
        std::hypot(answer.standard_error[j] / held, answer.mean[j] * model.empty_share_error / held);
    answer.noise_error[j] /= held;
  }
}

}  // namespace sotto::analyzer
