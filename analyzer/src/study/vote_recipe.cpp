// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sotto/local/lasso.hpp"
#include "sotto/wire/round.hpp"
#include "terms.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::uint32_t k_keep = 64, k_visits = 8192, k_visits_max = 65536;
constexpr double k_noise = 0.25;

Recipe recipe_of(const std::string& selector) {
  if (selector == "given") return Recipe::given;
  if (selector == "lasso") return Recipe::lasso;
  if (selector == "scad") return Recipe::scad;
  if (selector == "largest-mean") return Recipe::largest_mean;
  return Recipe::screen;
}

/// As stated, or noise * unit * sqrt(2 ln d / m).
std::uint32_t read_lambda(StudyTable& question, const StudyTerms& terms, std::uint32_t features) {
  if (question.has("lambda")) {
    const double lambda = question.number("lambda", 0);
    if (lambda >= 0 && lambda <= 1) return static_cast<std::uint32_t>(std::lround(std::ldexp(lambda, 24)));
    question.refuse(k_bad_value, "lambda", "must be from 0 to 1, in units of the scaled target and features",
                    "leave lambda out: it follows from noise, samples and features");
  }
  const double noise = question.number("noise", k_noise);
  if (!(noise > 0 && noise <= 1)) {
    question.refuse(k_bad_value, "noise",
                    "must be above 0 and at most 1: the standard deviation of the scaled target's noise",
                    "write 0.25, or what is known");
    return 0;
  }
  return lambda_rule_q24(features, terms.samples, terms.unit_q15,
                         static_cast<std::uint32_t>(std::lround(noise * 32768)));
}

}  // namespace

VoteRecipe read_recipe(StudyTable& question, const StudyTerms& terms, std::uint32_t features) {
  VoteRecipe vote;
  vote.recipe = recipe_of(question.word("selector", {"screen", "given", "lasso", "scad", "largest-mean"}, false));
  const auto cohorts = static_cast<std::uint32_t>(terms.weights.size());
  vote.cohort = cohorts == 1 ? k_every_cohort : 0;
  if (question.has("cohort"))
    vote.cohort =
        static_cast<std::uint8_t>(question.whole("cohort", 0, cohorts - 1, k_bad_value, "a cohort of study.cohorts"));
  if (vote.recipe != Recipe::lasso && vote.recipe != Recipe::scad) return vote;
  vote.keep = std::min(k_keep, std::max(features, 1u));
  if (question.has("keep"))
    vote.keep = question.whole("keep", 1, k_lasso_columns_max, k_bad_value, "columns that screening keeps");
  vote.visits = k_visits;
  if (question.has("visits"))
    vote.visits =
        question.whole("visits", 1, k_visits_max, k_bad_value, "coordinate visits, the most that an answer may cost");
  const std::string pick = question.word("pick", {"strongest", "uniform", "weighted"}, false);
  vote.pick = pick == "uniform" ? Pick::uniform : pick == "weighted" ? Pick::weighted : Pick::strongest;
  vote.lambda_q24 = read_lambda(question, terms, features);
  return vote;
}

}  // namespace sotto::analyzer
