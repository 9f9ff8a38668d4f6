// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <limits>

#include "sotto/analyzer/propose/vote.hpp"
#include "sotto/analyzer/protocol/frame/protocol.hpp"
#include "sotto/analyzer/protocol/registry/registry.hpp"
#include "sotto/analyzer/protocol/rounds/direction.hpp"
#include "sotto/analyzer/protocol/rounds/schedule.hpp"
#include "sotto/wire/manifest.hpp"

namespace sotto::analyzer {
namespace {

RegressionTerms usual_terms(double epsilon = 4) {
  RegressionTerms terms;
  terms.devices = 400;
  terms.samples = 100;
  terms.features = 256;
  terms.sparsity = 8;
  terms.norm = 0.7;
  terms.epsilon = static_cast<EpsilonNano>(epsilon * 1e9);
  return terms;
}

std::vector<Step> only(const Schedule& schedule, StepKind kind) {
  std::vector<Step> out;
  std::ranges::copy_if(schedule.steps, std::back_inserter(out), [kind](const Step& s) { return s.kind == kind; });
  return out;
}

double shares(const std::vector<Step>& steps) {
  double sum = 0;
  for (const Step& s : steps) sum += s.share;
  return sum;
}

/// Every mixture of fleets that a study may describe.
template <class Check>
void for_many_studies(const Check& check) {
  for (const double epsilon : {1.0, 8.0}) {
    for (const std::uint64_t devices : {1ull, 400ull, 1'000'000ull}) {
      for (const std::uint32_t features : {2u, 256u}) {
        for (const std::uint32_t sparsity : {1u, 8u, 64u}) {
          for (const bool correlated : {false, true}) {
            RegressionTerms terms = usual_terms(epsilon);
            terms.devices = devices;
            terms.features = features;
            terms.sparsity = sparsity;
            terms.correlated = correlated;
            check(terms);
          }
        }
      }
    }
  }
}

void expect_a_manifest_can_hold(const Schedule& schedule) {
  EXPECT_NEAR(shares(schedule.steps), 1, 1e-12);
  EXPECT_LE(schedule.steps.size(), k_cohorts_max);
  EXPECT_EQ(schedule.steps.front().kind, StepKind::select);
  EXPECT_EQ(schedule.steps.back().kind, StepKind::estimate);
  const std::vector<std::uint16_t> weights = cohort_weights(schedule);
  double sum = 0;
  for (const std::uint16_t w : weights) {
    EXPECT_GT(w, 0);
    sum += w;
  }
  for (std::size_t i = 0; i < weights.size(); ++i) EXPECT_NEAR(weights[i] / sum, schedule.steps[i].share, 1e-4);
}

// A second selection makes room for what it names, at most 3.5 candidates for each variable.
TEST(CascadeSchedule, cohorts_share_the_fleet_and_candidates_fall_to_the_last_two_but_for_a_second_selection) {
  for_many_studies([](const RegressionTerms& terms) {
    SCOPED_TRACE(testing::Message() << terms.devices << " devices, d " << terms.features << ", s " << terms.sparsity);
    const Schedule schedule = cascade_schedule(terms).value();
    expect_a_manifest_can_hold(schedule);
    const std::vector<Step> estimates = only(schedule, StepKind::estimate);
    ASSERT_GE(estimates.size(), 2u);
    EXPECT_LE(estimates.size(), 8u);
    for (std::size_t i = 2; i < schedule.steps.size(); ++i) {
      const Step &before = schedule.steps[i - 1], &now = schedule.steps[i];
      if (before.kind == StepKind::estimate && now.kind == StepKind::estimate) {
        EXPECT_LE(now.candidates, before.candidates);
      }
      EXPECT_LE(now.candidates, std::max(schedule.steps[1].candidates, 1u));
    }
    if (estimates.size() > 2) {
      EXPECT_EQ(estimates.back().candidates, estimates[estimates.size() - 2].candidates);
    }
    EXPECT_GE(estimates.back().candidates, 1u);
    EXPECT_LE(estimates.front().candidates, std::min(terms.features, 150u));
    EXPECT_NEAR(estimates.back().share, 1.5 * estimates.front().share, 1e-12);
    const double asked_to_select = shares(only(schedule, StepKind::select));
    EXPECT_GE(asked_to_select, 0.4 - 1e-12);
    EXPECT_LE(asked_to_select, 0.6 + 1e-12);
  });
}

TEST(CascadeSchedule, the_usual_study_is_what_the_protocols_page_says) {
  const Schedule schedule = cascade_schedule(usual_terms()).value();
  // f = 0.6: 0.36, three cohorts, 0.24, five cohorts; 24 candidates at first and 12 in the end.
  ASSERT_EQ(schedule.steps.size(), 10u);
  EXPECT_EQ(schedule.steps[4].kind, StepKind::select);
  EXPECT_NEAR(schedule.steps[0].share + schedule.steps[4].share, 0.6, 1e-12);
  EXPECT_NEAR(schedule.steps[4].share / (schedule.steps[0].share + schedule.steps[4].share), 0.4, 1e-12);
  EXPECT_EQ(schedule.steps.back().candidates, 12u);
  for (const std::size_t after : {5, 6, 7}) EXPECT_EQ(schedule.steps[after].candidates, 28u) << after;
  EXPECT_EQ(schedule.steps[8].candidates, 12u);
  EXPECT_GE(schedule.steps[1].candidates, 24u);
  EXPECT_LE(schedule.steps[1].candidates, 48u);
  EXPECT_TRUE(schedule.hopeless.empty());
}

TEST(CascadeSchedule, more_devices_or_privacy_never_mean_fewer_cohorts_or_weaker_evidence) {
  std::size_t steps = 0;
  double evidence = 0;
  for (std::uint64_t devices = 10; devices < 1'000'000; devices = devices * 3 / 2) {
    RegressionTerms terms = usual_terms();
    terms.devices = devices;
    const Schedule schedule = cascade_schedule(terms).value();
    EXPECT_GE(schedule.steps.size(), steps) << devices;
    EXPECT_GE(schedule.evidence, evidence * 0.89) << devices;  // the share of the selection may fall from 0.5 to 0.4
    steps = schedule.steps.size();
    evidence = schedule.evidence;
  }
  evidence = 0;
  for (const double epsilon : {0.5, 1.0, 2.0, 4.0, 8.0}) {
    const Schedule schedule = cascade_schedule(usual_terms(epsilon)).value();
    EXPECT_GT(schedule.evidence, evidence) << epsilon;
    evidence = schedule.evidence;
  }
}

TEST(CascadeSchedule, the_last_cohorts_ask_about_half_more_than_the_sparsity) {
  for (const std::uint32_t s : {1u, 4u, 7u, 20u, 64u}) {
    RegressionTerms terms = usual_terms();
    terms.sparsity = s;
    EXPECT_EQ(cascade_schedule(terms).value().steps.back().candidates, std::ceil(1.5 * s));
  }
}

TEST(CascadeSchedule, a_dozen_votes_are_wanted_for_each_variable) {
  // Noise is little at 8 nats, so only the number of votes can ask for more than the least share.
  RegressionTerms terms = usual_terms(8);
  terms.features = 1024;
  const ScoreOfOne score = score_of_one(terms).value();
  const double wanted = 12 * 8 / score.true_vote / 400;
  ASSERT_GT(wanted, 0.4);
  EXPECT_NEAR(shares(only(cascade_schedule(terms).value(), StepKind::select)), std::min(0.6, wanted), 1e-12);
  terms.devices = 4000;
  EXPECT_NEAR(shares(only(cascade_schedule(terms).value(), StepKind::select)), 0.4, 1e-12);
}

TEST(CascadeSchedule, a_weak_first_selection_is_not_split_unless_features_are_correlated) {
  RegressionTerms terms = usual_terms(2);
  EXPECT_LT(cascade_schedule(terms).value().evidence, 4);
  EXPECT_EQ(only(cascade_schedule(terms).value(), StepKind::select).size(), 1u);
  terms.correlated = true;
  EXPECT_EQ(only(cascade_schedule(terms).value(), StepKind::select).size(), 2u);
  terms.devices = 100;  // too few for five estimation cohorts
  EXPECT_EQ(only(cascade_schedule(terms).value(), StepKind::select).size(), 1u);
}

TEST(CascadeSchedule, a_weak_selection_takes_the_least_share_and_one_that_can_be_split_up_to_the_most) {
  EXPECT_NEAR(shares(only(cascade_schedule(usual_terms(2)).value(), StepKind::select)), 0.4, 1e-12);
  EXPECT_NEAR(shares(only(cascade_schedule(usual_terms(4)).value(), StepKind::select)), 0.6, 1e-12);
}

TEST(DefaultValidation, is_a_twentieth_or_a_tenth_below_three_nats_and_thirty_of_a_small_fleet) {
  constexpr EpsilonNano k_nat = 1'000'000'000;
  EXPECT_DOUBLE_EQ(default_validation(2000, 4 * k_nat), 0.05);
  EXPECT_DOUBLE_EQ(default_validation(2000, 2 * k_nat), 0.1);
  EXPECT_DOUBLE_EQ(default_validation(400, 4 * k_nat), 30.0 / 400);
  EXPECT_DOUBLE_EQ(default_validation(50, 8 * k_nat), 0.2);
}

TEST(CascadeSchedule, a_fleet_from_which_nothing_can_be_learned_is_told_so) {
  RegressionTerms terms = usual_terms(0.5);
  terms.devices = 100;
  const Schedule schedule = cascade_schedule(terms).value();
  EXPECT_LT(schedule.evidence, 0.67);
  EXPECT_NE(schedule.hopeless.find("100 devices"), std::string::npos);
  // The number that it asks for is about enough.
  const double needed = 100 * std::pow(0.67 / schedule.evidence, 2);
  terms.devices = static_cast<std::uint64_t>(1.1 * needed);
  EXPECT_TRUE(cascade_schedule(terms).value().hopeless.empty());
  terms.devices = static_cast<std::uint64_t>(0.9 * needed);
  EXPECT_FALSE(cascade_schedule(terms).value().hopeless.empty());
}

TEST(BoostSchedule, two_blocks_share_the_fleet_and_radii_shrink) {
  for_many_studies([](const RegressionTerms& terms) {
    SCOPED_TRACE(testing::Message() << terms.devices << " devices, d " << terms.features);
    const Schedule schedule = boost_schedule(terms).value();
    expect_a_manifest_can_hold(schedule);
    const bool has_intervals = schedule.no_intervals.empty();
    ASSERT_EQ(schedule.steps.size(), has_intervals ? 9u : 8u);
    const double taught = has_intervals ? 0.9 : 1;
    double radius = 0.5 * std::hypot(terms.noise, terms.norm);
    std::uint32_t known = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      const Step& step = schedule.steps[i];
      if (i % 4 == 0) {
        EXPECT_EQ(step.kind, StepKind::select);
        EXPECT_NEAR(step.share, 0.175 * taught, 1e-12);
        known += step.candidates;
      } else {
        EXPECT_NEAR(step.radius, radius, 1e-12);
        EXPECT_EQ(step.candidates, known);
        radius *= 0.8;
      }
    }
    EXPECT_GE(known, std::min(2u, terms.features));
    EXPECT_LE(known, std::min(64u, terms.features));
    if (!has_intervals) return;
    EXPECT_NEAR(schedule.steps.back().share, 0.1, 1e-12);
    EXPECT_EQ(schedule.steps.back().candidates, std::min({known, 32u, terms.samples / 3}));
  });
}

TEST(BoostSchedule, a_cohort_is_left_for_intervals_where_rows_and_devices_allow_it) {
  RegressionTerms terms = usual_terms();
  EXPECT_TRUE(boost_schedule(terms).value().no_intervals.empty());
  terms.devices = 299;
  EXPECT_EQ(boost_schedule(terms).value().no_intervals, "they would come from 29 devices where 30 are needed");
  terms.devices = 250;
  EXPECT_EQ(boost_schedule(terms).value().no_intervals, "they would come from 25 devices where 30 are needed");
  terms = usual_terms();
  EXPECT_TRUE(boost_schedule(usual_terms(2)).value().no_intervals.starts_with("400 devices can carry the noise of "));
  terms.samples = 25;
  EXPECT_TRUE(boost_schedule(terms).value().no_intervals.empty());
  terms.samples = 24;
  EXPECT_EQ(boost_schedule(terms).value().no_intervals,
            "local least squares needs 25 rows of a device where it has 24");
  terms = usual_terms();
  terms.link = TargetLink::logistic;
  EXPECT_EQ(boost_schedule(terms).value().no_intervals, "local least squares answers no question about classes");
}

TEST(BoostSchedule, as_many_variables_as_a_tenth_of_the_targets_variance_in_noise_allows) {
  for (const std::uint64_t devices : {100ull, 400ull, 700ull}) {
    RegressionTerms terms = usual_terms();
    terms.devices = devices;
    // Noise of K variables over six steps: K v / (0.65 n / 6) * sum of squared radii, 0.25 (1 - 0.8^12) / (1 - 0.64).
    const double squares = 0.25 * (1 - std::pow(0.64, 6)) / (1 - 0.64);
    const double v = direction_variance(terms.epsilon, 32).value();
    const double taught = devices >= 300 ? 0.9 : 1;  // others answer for intervals
    const double expected = std::round(0.1 * taught * static_cast<double>(devices) * 0.65 / 6 / (squares * v));
    const Schedule schedule = boost_schedule(terms).value();
    EXPECT_EQ(schedule.steps[0].candidates + schedule.steps[4].candidates, expected);
    EXPECT_TRUE(schedule.hopeless.empty());
  }
  // A fleet for 1.4 variables asks about twice as many, and one for 0.6 about two; four are not doubled.
  const auto variables_of = [](std::uint64_t devices) {
    RegressionTerms terms = usual_terms(2);
    terms.devices = devices;
    const Schedule schedule = boost_schedule(terms).value();
    return schedule.steps[0].candidates + schedule.steps[4].candidates;
  };
  const double one = 0.25 * (1 - std::pow(0.64, 6)) / (1 - 0.64) *
                     direction_variance(usual_terms(2).epsilon, 32).value() /
                     (0.1 * 0.65 / 6);  // devices that carry one variable
  EXPECT_EQ(variables_of(static_cast<std::uint64_t>(0.7 * one)), 2u);
  EXPECT_EQ(variables_of(static_cast<std::uint64_t>(1.4 * one)), 3u);
  EXPECT_EQ(variables_of(static_cast<std::uint64_t>(2.2 * one)), 4u);
  EXPECT_EQ(variables_of(static_cast<std::uint64_t>(3.9 * one)), 4u);
  EXPECT_EQ(variables_of(static_cast<std::uint64_t>(5.1 * one)), 5u);
  RegressionTerms few = usual_terms(1);
  few.devices = 60;
  EXPECT_FALSE(boost_schedule(few).value().hopeless.empty());
}

TEST(ScoreOfOne, a_vote_for_one_of_many_is_right_by_chance_where_there_is_no_signal) {
  RegressionTerms terms = usual_terms();
  terms.norm = 1e-9;
  EXPECT_NEAR(score_of_one(terms).value().true_vote, 8.0 / 256, 1e-6);
  terms.norm = 100;  // explains nearly everything: mu = sqrt(100 / 8)
  EXPECT_GT(score_of_one(terms).value().true_vote, 0.95);
  terms.features = 8;
  EXPECT_EQ(score_of_one(terms).value().true_vote, 1);
}

TEST(ScoreOfOne, is_the_share_of_votes_over_the_noise_of_a_share) {
  const RegressionTerms terms = usual_terms();
  const ScoreOfOne score = score_of_one(terms).value();
  const double variance = propose_vote(terms.epsilon, 256).value().variance;
  EXPECT_NEAR(score.by_vote, score.true_vote / 8 / std::sqrt(variance + 1 / 256.0), 1e-12);
}

TEST(ChooseProtocol, correlated_features_and_few_rows_go_to_boost_and_all_else_to_cascade) {
  RegressionTerms terms = usual_terms();
  ASSERT_TRUE(choose_protocol("auto", terms));
  EXPECT_EQ(terms.protocol->name, "cascade");
  EXPECT_NE(terms.why_protocol.find("not declared correlated"), std::string::npos);
  terms.correlated = true;
  terms.samples = 96;  // eight rows for each of twelve variables
  ASSERT_TRUE(choose_protocol("auto", terms));
  EXPECT_EQ(terms.protocol->name, "cascade");
  EXPECT_NE(terms.why_protocol.find("96 rows"), std::string::npos);
  terms.samples = 95;
  ASSERT_TRUE(choose_protocol("auto", terms));
  EXPECT_EQ(terms.protocol->name, "boost");
  EXPECT_NE(terms.why_protocol.find("95 rows"), std::string::npos);
  EXPECT_NE(terms.why_protocol.find("about 96"), std::string::npos);
}

TEST(ChooseProtocol, a_name_is_taken_at_its_word_and_others_are_refused) {
  for (const ProtocolFacts* kind : protocol_facts()) {
    RegressionTerms terms = usual_terms();
    ASSERT_TRUE(choose_protocol(kind->name, terms));
    EXPECT_EQ(terms.protocol, kind);
    EXPECT_EQ(terms.why_protocol, "the study asks for it");
  }
  RegressionTerms terms = usual_terms();
  EXPECT_FALSE(choose_protocol("Cascade", terms));
  EXPECT_FALSE(choose_protocol("", terms));
}

/// The same integral to its mathematical end, however far that is.
double whole_integral(double mu, double features, double variables) {
  const boost::math::normal normal;
  const auto lost = [&](double t) {
    const double below = 2 * cdf(normal, t) - 1, true_below = cdf(normal, t - mu) - cdf(normal, -t - mu);
    return (features - variables) * 2 * pdf(normal, t) * std::pow(below, features - variables - 1) *
           std::pow(true_below, variables);
  };
  double sum = 0;
  for (double t = 0; t < mu + 8; t += 1) sum += boost::math::quadrature::gauss<double, 15>::integrate(lost, t, t + 1);
  return std::clamp(1 - sum, 0.0, 1.0);
}

TEST(TrueVote, a_bounded_integral_has_the_value_of_the_whole_one) {
  for (const double mu : {0.0, 0.3, 2.0, 7.5, 31.9, 32.0, 33.0, 40.0, 75.0, 300.0}) {
    for (const double features : {2.0, 64.0, 65535.0}) {
      EXPECT_NEAR(chance_of_a_true_vote(mu, features, 1), whole_integral(mu, features, 1), 1e-12) << mu;
      EXPECT_NEAR(chance_of_a_true_vote(mu, features, 2), whole_integral(mu, features, 2), 1e-12) << mu;
    }
  }
}

TEST(TrueVote, a_signal_of_any_size_takes_the_same_time) {
  // The length of the loop was mu; these did not come back.
  for (const double mu : {1e9, 1e15, 1e300, std::numeric_limits<double>::infinity()})
    EXPECT_DOUBLE_EQ(chance_of_a_true_vote(mu, 64, 4), 1);
}

}  // namespace
}  // namespace sotto::analyzer
