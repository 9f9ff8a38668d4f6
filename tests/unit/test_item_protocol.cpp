// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The parts of ldp-iht: what clipping leaves, what cohorts say together, whom to ask next, and what a study is refused for.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "regression_kit.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/compile/compile.hpp"
#include "sotto/analyzer/math/link_table.hpp"
#include "sotto/analyzer/protocol/frame/complete_model.hpp"
#include "sotto/analyzer/protocol/registry/registry.hpp"
#include "src/protocol/estimate/clipped_residual.hpp"
#include "src/protocol/ldp_iht/candidates.hpp"
#include "src/protocol/ldp_iht/history.hpp"
#include "src/protocol/ldp_iht/plan.hpp"

namespace sotto::analyzer {
namespace {

constexpr int k_draws = 200000;

/// The mean of f over this many normal numbers of a fixed seed.
template <class Function>
double normal_mean(const Function& function) {
  std::mt19937_64 engine(7);
  std::normal_distribution<double> normal;
  double sum = 0;
  for (int i = 0; i < k_draws; ++i) sum += function(normal(engine));
  return sum / k_draws;
}

TEST(ClippedResidual, means_are_those_of_clipped_normals) {
  constexpr double k_error = 4.5 / 447;  // standard errors of numbers of size 1
  for (const double delta : {0.0, 0.3, 1.2}) {
    for (const double bound : {0.1, 1.0, 3.0}) {
      const double drawn = normal_mean([&](double z) { return std::clamp((delta + 0.8 * z) / bound, -1.0, 1.0); });
      EXPECT_NEAR(clipped_mean(delta, 0.8, bound), drawn, k_error) << delta << " " << bound;
    }
  }
  for (const double ratio : {0.5, 1.0, 2.5}) {
    const double drawn = normal_mean([&](double z) { return std::sqrt(std::max(0.0, 1 - z * z / (ratio * ratio))); });
    EXPECT_NEAR(pole_mean(ratio), drawn, k_error);
    EXPECT_NEAR(bound_ratio(pole_mean(ratio), 0.01, 1), ratio, 1e-6);
    EXPECT_EQ(bound_ratio(pole_mean(ratio), 0.5, 1), 1);  // a pole that nobody knows
  }
  for (const double length : {0.2, 1.0, 4.0}) {
    const double drawn = normal_mean([&](double z) { return std::tanh(length * z / 2) * z; });
    EXPECT_NEAR(length * class_attenuation(length), drawn, k_error);
    EXPECT_NEAR(length_of_class(length * class_attenuation(length), 10), length, 1e-6);
  }
}

TEST(ClippedResidual, unclipped_takes_the_mean_back) {
  for (const double delta : {-0.9, -0.2, 0.0, 0.01, 0.6}) {
    for (const double bound : {0.2, 1.0, 4.0}) {
      EXPECT_NEAR(unclipped(clipped_mean(delta, std::sqrt(1 - delta * delta), bound), 1, bound), delta, 1e-6);
    }
  }
  EXPECT_LE(unclipped(5, 1, 1), 1);  // noise beyond all that a coefficient can be
  EXPECT_NEAR(unclipped(1e-4, 1, 1), 1e-4 / clipping_gain(1, 1), 1e-8);
}

const SparsePrior k_prior{4, 40, 1};

TEST(AveragedPosterior, knows_nothing_before_and_enough_after) {
  std::vector<double> estimate(40), variance(40, std::numeric_limits<double>::infinity());
  const AveragedPosterior before = averaged_posterior(estimate, variance, k_prior);
  double left = 0;
  for (std::size_t j = 0; j < 40; ++j) left += before.loss(j);
  EXPECT_GT(left, 0.5);  // the squared length is 1, give or take a factor of two
  EXPECT_LT(left, 3);
  std::ranges::fill(variance, 1e-4);
  for (std::size_t j = 0; j < 4; ++j) estimate[j] = 0.5;
  const AveragedPosterior after = averaged_posterior(estimate, variance, k_prior);
  for (std::size_t j = 0; j < 40; ++j) {
    EXPECT_EQ(after.weight[j] > 0.5, j < 4) << j;
    EXPECT_NEAR(after.expected(j), estimate[j], 0.001);
  }
}

/// Of three precise estimates, and a fourth that is not.
AveragedPosterior beside_others(const std::vector<double>& others, double uncertain, SlabShapes shapes) {
  std::vector<double> estimate(others), variance(40, 1e-4), no_evidence(40);
  estimate.push_back(uncertain);
  estimate.resize(40);
  variance[others.size()] = 0.02;
  return averaged_posterior(estimate, variance, no_evidence, k_prior, shapes);
}

TEST(AveragedPosterior, draws_an_uncertain_estimate_to_the_size_of_the_others_where_they_are_alike) {
  const std::vector<double> alike{0.5, -0.5, 0.5};
  const AveragedPosterior normal = beside_others(alike, 0.3, SlabShapes::normal);
  const AveragedPosterior either = beside_others(alike, 0.3, SlabShapes::normal_or_alike);
  EXPECT_LT(normal.mean[3], 0.3);
  EXPECT_GT(either.mean[3], 0.32);
  EXPECT_LT(either.mean[3], 0.5);
  EXPECT_LT(either.variance[3], normal.variance[3]);
  EXPECT_NEAR(beside_others(alike, -0.3, SlabShapes::normal_or_alike).mean[3], -either.mean[3], 1e-12);
}

TEST(AveragedPosterior, takes_sizes_for_spread_where_they_are) {
  const std::vector<double> spread{0.05, -0.1, 0.2, -0.4, 0.8, 1.2};
  const double normal = beside_others(spread, 0.3, SlabShapes::normal).mean[6];
  EXPECT_NEAR(beside_others(spread, 0.3, SlabShapes::normal_or_alike).mean[6], normal, 0.01);
}

CohortSteps steps_to(const std::vector<double>& truth, const std::vector<double>& centre, double factor,
                     double variance) {
  CohortSteps out;
  for (std::uint32_t j = 0; j < truth.size(); ++j) {
    out.feature.push_back(j);
    out.centre.push_back(centre[j]);
    out.step.push_back(factor * (truth[j] - centre[j]));
    out.variance.push_back(variance);
  }
  return out;
}

TEST(ItemHistory, later_cohorts_tell_how_long_earlier_steps_should_have_been) {
  std::vector<double> truth(40), centre(40);
  for (std::size_t j = 0; j < 4; ++j) truth[j] = 0.5;
  ItemHistory history(k_prior, {});
  history.add(steps_to(truth, centre, 0.7, 1e-4));  // all of it 30 % too short
  EXPECT_NEAR(history.posterior().expected(0), 0.35, 0.01);
  for (std::size_t j = 0; j < 4; ++j) centre[j] = 0.35;
  for (int i = 0; i < 3; ++i) {
    history.add(steps_to(truth, centre, 0.7, 1e-6));
    for (std::size_t j = 0; j < 40; ++j) centre[j] = history.posterior().expected(j);
  }
  EXPECT_NEAR(history.posterior().expected(0), 0.5, 0.01);
  EXPECT_LT(history.posterior().weight[9], 0.5);
}

TEST(ItemHistory, where_gradients_mix_only_a_part_of_the_way_is_gone_and_old_words_fade) {
  std::vector<double> truth(40), centre(40);
  truth[0] = 1;
  ItemHistory history(k_prior, {0.3, 0.5, false});
  history.add(steps_to(truth, centre, 1, 1e-6));
  EXPECT_NEAR(history.posterior().expected(0), 0.3, 0.01);
  truth[0] = -1;
  for (int i = 0; i < 8; ++i) history.add(steps_to(truth, centre, 1, 1e-6));
  EXPECT_NEAR(history.posterior().expected(0), -0.3, 0.01);
}

TEST(NextCandidates, are_those_that_promise_most_and_all_that_are_known) {
  std::vector<double> truth(40), centre(40);
  for (std::size_t j = 0; j < 4; ++j) truth[j] = 0.5;
  ItemHistory history(k_prior, {});
  const auto ask = [&](double precision, std::size_t most) {
    return next_candidates(
        history, [precision](std::size_t k) { return precision / static_cast<double>(k); }, 2, most);
  };
  EXPECT_EQ(ask(1e4, 30).size(), 40u);  // nobody was asked: all of them, however little room there is
  history.add(steps_to(truth, centre, 1, 1e-3));
  const std::vector<std::uint32_t> next = ask(4e4, 30);
  EXPECT_LT(next.size(), 40u);
  for (std::uint32_t j = 0; j < 4; ++j) EXPECT_TRUE(std::ranges::binary_search(next, j)) << j;
  EXPECT_LE(ask(4e4, 6).size() == 40 ? 6 : ask(4e4, 6).size(), 6u);
}

RegressionTerms sign_terms() {
  RegressionTerms terms;
  terms.devices = 100000;
  terms.samples = 1;
  terms.features = 100;
  terms.sparsity = 10;
  terms.noise = 0.03;
  terms.norm = 1.25;
  terms.signs = true;
  terms.epsilon = k_epsilon_one;
  EXPECT_TRUE(choose_protocol("auto", terms));
  return terms;
}

TEST(ItemPlan, one_row_a_device_is_its_business_and_signs_are_answered_in_blocks) {
  const RegressionTerms terms = sign_terms();
  EXPECT_EQ(terms.protocol->name, "ldp-iht");
  const ItemPlan plan = plan_item(terms).value();
  EXPECT_EQ(plan.answer, ItemAnswer::block);
  EXPECT_NEAR(plan.snr, 21.4, 0.2);  // n tanh^2(1/2) / (p s)
  EXPECT_TRUE(plan.hopeless.empty());
  EXPECT_NEAR(std::accumulate(plan.shares.begin(), plan.shares.end(), 0.0), 1, 1e-12);
  RegressionTerms several = terms;
  several.samples = 2;
  EXPECT_EQ(plan_item(several).value().answer, ItemAnswer::direction);
  several.paper = true;
  EXPECT_EQ(plan_item(several).value().answer, ItemAnswer::hemisphere);
}

TEST(ItemPlan, a_fleet_that_is_too_small_is_told_so_before_anybody_is_asked) {
  RegressionTerms terms = sign_terms();
  terms.devices = 20000;  // signal 4.3
  const Study study = study_of(terms).value();
  const CompiledStudy compiled = compile_study(study, repeatable_seed(1)).value();
  EXPECT_TRUE(compiled.round.empty());
  const Manifest manifest = read_manifest(compiled.manifest, "the manifest").value();
  const auto protocol = start_protocol(study_of(terms).value(), manifest).value();
  EXPECT_FALSE(protocol->open().value().has_value());
  const Model model = protocol->model();
  EXPECT_EQ(model.verdict, Verdict::cannot_learn);
  EXPECT_TRUE(model.coefficients.empty());
  EXPECT_NE(model.why_verdict.find("this fleet is too small"), std::string::npos);
  EXPECT_NE(model.why_verdict.find("Need about 70"), std::string::npos)
      << model.why_verdict;  // 15 p s / tanh^2(1/2) = 70,200
  terms.devices = 25000;
  EXPECT_TRUE(start_protocol(study_of(terms).value(), manifest).value()->open().value().has_value());
}

TEST(ItemPlan, refusals_name_what_is_wrong_and_what_would_do) {
  RegressionTerms terms = sign_terms();
  terms.steps = 65;
  EXPECT_EQ(plan_item(terms).error().code, "protocol.too_many_rounds");
  EXPECT_NE(plan_item(terms).error().fix.find("64"), std::string::npos);
  terms.devices = 300;
  terms.steps = 11;
  EXPECT_NE(plan_item(terms).error().fix.find("at most 10 rounds"), std::string::npos);
  terms.devices = 20;
  terms.steps = 0;
  EXPECT_EQ(plan_item(terms).error().code, "protocol.small_fleet");
  terms = sign_terms();
  terms.paper = true;
  terms.features = 512;
  EXPECT_EQ(plan_item(terms).error().code, "protocol.bad_dimension");
  terms = sign_terms();
  terms.link = TargetLink::cosine;
  terms.link_unit = 0.01;  // f would rise by 800 a unit
  EXPECT_EQ(plan_protocol(terms).error().code, "protocol.bad_link");
  terms.protocol = find_protocol("cascade");
  EXPECT_EQ(plan_protocol(terms).error().code, "protocol.no_link");
}

TEST(ItemRound, a_cosine_travels_as_a_table_that_devices_take) {
  RegressionTerms terms = sign_terms();
  terms.link = TargetLink::cosine;
  terms.link_unit = 8;
  ItemQuestion question{ItemAnswer::block, {3, 7, 9}, false, {{3, 0.1}, {7, 0}, {9, -0.2}}, 0.5};
  RoundDraft draft = draft_item(terms, question, 2, 1).value();
  const std::vector<std::uint8_t> bytes = write_round(draft, {}).value();
  const Round round = read_round(bytes, "the round").value();
  EXPECT_EQ(round.link, static_cast<std::uint8_t>(LinkKind::table));
  EXPECT_EQ(round.parameter[recipe::vector::radius], static_cast<std::uint32_t>(std::lround(0.5 * 0.25 * (1 << 24))));
  std::vector<LinkPoint> points;
  for (const NumberPair& pair : draft.pairs) points.push_back({pair.first, pair.second});
  const Link link{LinkKind::table,
                  {static_cast<std::int32_t>(round.parameter[recipe::link_table::first_point]),
                   round.parameter[recipe::link_table::log2_step], link_points(points)}};
  ASSERT_EQ(link_check(link), Status::ok);
  for (const double t : {-3.0, -0.4, 0.0, 1.1, 4.5}) {
    const double seen = from_q24(link_at(link, to_q24(t * terms.unit())).value_q24) / terms.unit() * 8;
    EXPECT_NEAR(seen, 8 * t + std::cos(t), 0.0005) << t;
  }
  EXPECT_GE(centre_room(terms), 100u);
  Entries most;
  for (std::uint32_t j = 0; j < centre_room(terms); ++j) most.push_back({j, 0});
  question.centre = most;
  RoundDraft large = draft_item(terms, question, 2, 1).value();
  EXPECT_TRUE(write_round(large, {}).ok());
}

TEST(ItemRound, sums_of_blocks_are_kept_and_merged) {
  const RegressionTerms terms = sign_terms();
  const CompiledStudy compiled = compile_study(study_of(terms).value(), repeatable_seed(1)).value();
  const Manifest manifest = read_manifest(compiled.manifest, "the manifest").value();
  const Round round = read_round(compiled.round, "the round").value();
  RoundAggregate one = RoundAggregate::open(manifest, round).value(), other = one, both = one;
  for (std::uint64_t i = 1; i <= 1000; ++i) {
    EXPECT_TRUE((i % 3 == 0 ? one : other).absorb(i, i % 2));
    EXPECT_TRUE(both.absorb(i, i % 2));
  }
  EXPECT_FALSE(both.absorb(2000, 2));  // at this epsilon a report is one bit
  RoundAggregate loaded = RoundAggregate::load(manifest, round, other.save()).value();
  ASSERT_TRUE(loaded.merge(one).ok());
  EXPECT_EQ(loaded.used(), 1000u);
  EXPECT_EQ(loaded.direction().mean, both.direction().mean);
  EXPECT_EQ(both.direction().mean.size(), 100u);
}

}  // namespace
}  // namespace sotto::analyzer
