// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/protocol/rounds/direction.hpp"

#include <algorithm>

#include "sotto/analyzer/math/direction_error.hpp"
#include "sotto/analyzer/propose/direction.hpp"
#include "sotto/analyzer/propose/vote.hpp"
#include "sotto/local/least_squares.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::uint32_t k_q24_one = 1u << 24;
// Limit on the cost of one report for a device: a third of a local Lasso path on Cortex-M4. More codewords lose less at
// large epsilon.
constexpr DeviceWork k_report_work{2'500'000, 8192};
// A residual of 2 is eight standard deviations. Privacy rests on the radius, not on clipping a row.
constexpr std::uint32_t k_residual_bound_q24 = 2 * k_q24_one;

std::uint32_t ridge_q24(double unit) {
  return std::clamp(positive_q24(k_local_ridge * unit * unit), k_ridge_q24_min, k_ridge_q24_max);
}

}  // namespace

std::uint32_t positive_q24(double value) noexcept { return static_cast<std::uint32_t>(std::max(1, to_q24(value))); }

Result<AnySpec> best_direction(EpsilonNano epsilon, std::uint32_t dimension) {
  const Result<DirectionProposal> proposal = propose_direction(epsilon, dimension, k_report_work);
  if (!proposal) return proposal.error();
  return std::visit([](const auto& spec) { return AnySpec{spec}; }, proposal.value().spec);
}

double device_unit(LocalAnswer answer, double unit) {
  switch (answer) {
    case LocalAnswer::least_squares: return 1;
    case LocalAnswer::gradient: return unit * unit;
    case LocalAnswer::means: return unit;
  }
  return 1;
}

void put_local_answer(const RegressionTerms& terms, LocalAnswer answer, RoundDraft& draft) {
  switch (answer) {
    case LocalAnswer::least_squares:
      draft.recipe = Recipe::least_squares;
      draft.parameter[recipe::vector::ridge] = ridge_q24(terms.unit());
      break;
    case LocalAnswer::gradient:
      draft.recipe = Recipe::gradient;
      draft.parameter[recipe::vector::residual_bound] = k_residual_bound_q24;
      break;
    case LocalAnswer::means:
      draft.recipe = Recipe::means;
      for (Entry& entry : draft.model) entry.value *= terms.unit();
      break;
  }
}

Result<RoundDraft> draft_direction(const RegressionTerms& terms, const DirectionQuestion& question,
                                   std::uint16_t number, std::uint8_t cohort) {
  const Result<AnySpec> spec = best_direction(terms.epsilon, static_cast<std::uint32_t>(question.centre.size()) + 1);
  if (!spec) return spec.error();
  RoundDraft draft{QuestionKind::direction, Recipe::least_squares, number, cohort, spec.value(), {}, question.centre};
  draft.parameter[recipe::vector::radius] = positive_q24(question.radius * device_unit(question.answer, terms.unit()));
  put_local_answer(terms, question.answer, draft);
  return draft;
}

Result<RoundDraft> draft_vote(const RegressionTerms& terms, bool means, const Entries& model, std::uint16_t number,
                              std::uint8_t cohort) {
  const Result<VoteProposal> vote = propose_vote(terms.epsilon, terms.features);
  if (!vote) return vote.error();
  RoundDraft draft{
      QuestionKind::vote, means ? Recipe::largest_mean : Recipe::screen, number, cohort, vote.value().spec, {}, model};
  if (means) {
    for (Entry& entry : draft.model) entry.value *= terms.unit();
  }
  return draft;
}

DirectionAnswer read_direction(const DirectionQuestion& question, const VectorMean& mean) {
  const std::size_t size = question.centre.size();
  // A device reports the gradient of its loss, which points away from the minimum.
  const double scale = question.answer == LocalAnswer::gradient ? -question.radius : question.radius;
  DirectionAnswer out;
  out.used = mean.used;
  out.pole = mean.mean[size];
  out.pole_error = mean.standard_error[size];
  for (std::size_t j = 0; j < size; ++j) {
    out.mean.push_back(scale * mean.mean[j]);
    out.standard_error.push_back(question.radius * mean.standard_error[j]);
    out.noise_error.push_back(question.radius * mean.noise_error[j]);
  }
  return out;
}

Result<double> direction_variance(EpsilonNano epsilon, std::uint32_t coordinates) {
  const Result<AnySpec> spec = best_direction(epsilon, coordinates + 1);
  if (!spec) return spec.error();
  return std::visit(
      [&](const auto& s) -> double {
        if constexpr (requires { direction_error(s); }) {
          return direction_error(s).mean_square() / (coordinates + 1.0);
        } else {
          return 0;
        }
      },
      spec.value());
}

}  // namespace sotto::analyzer
