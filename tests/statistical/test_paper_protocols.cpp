// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <gtest/gtest.h>

#include <cmath>

#include <fmt/format.h>

#include "regression_kit.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/compile/compile.hpp"
#include "sotto/analyzer/protocol/registry/registry.hpp"

// Two-round and multi-round from the manifest to the model. Every report comes from a device session with its ledger, sealed, and is
// judged by the collector.
namespace sotto::analyzer {
namespace {

SyntheticSpec small_world() {
  SyntheticSpec world;
  world.devices = 1200;
  world.samples_low = world.samples_high = 60;
  world.features = 48;
  world.nonzeros = 4;
  world.signal.value = 0.3;
  world.random_signs = true;
  world.seed = 21;
  return world;
}

/// Keeps what each round asked and came to.
class KeepingSink final : public RoundSink {
 public:
  explicit KeepingSink(std::unique_ptr<SummingSink> sums) : sums_(std::move(sums)) {}

  Result<Done> open_round(std::span<const std::uint8_t> round) override {
    rounds.emplace_back(round.begin(), round.end());
    return sums_->open_round(round);
  }
  [[nodiscard]] Result<bool> has_batch(std::uint64_t) override { return false; }
  Result<Done> put_batch(std::uint64_t number, std::span<const std::uint8_t> batch) override {
    return sums_->put_batch(number, batch);
  }
  Result<RoundAggregate> close_round() override {
    Result<RoundAggregate> closed = sums_->close_round();
    if (closed) saved.push_back(closed.value().save());
    return closed;
  }
  [[nodiscard]] ReasonCounts counts() const override { return sums_->counts(); }

  std::vector<std::vector<std::uint8_t>> rounds, saved;

 private:
  std::unique_ptr<SummingSink> sums_;
};

struct Case {
  std::string_view protocol;
  bool paper;
  // Expected squared errors at epsilon 12 with all four variables kept; the bounds below are about six times these.
  double expected;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.protocol << (c.paper ? ", paper" : ""); }

class PaperProtocol : public ::testing::TestWithParam<Case> {
 protected:
  [[nodiscard]] RegressionTerms terms(const SyntheticSpec& world, double epsilon) const {
    RegressionTerms terms = terms_of(world, GetParam().protocol, epsilon, GetParam().paper);
    // The paper's own T leaves two devices a coordinate, whose bins are guesses.
    if (GetParam().paper && GetParam().protocol == "multi-round") terms.steps = 3;
    return terms;
  }
};

TEST_P(PaperProtocol, a_fleet_without_much_noise_recovers_the_coefficients) {
  SyntheticSpec spec = small_world();
  spec.devices = 2400;
  const SyntheticWorld world(spec);
  RegressionTerms with_validation = terms(world.spec(), 12);
  with_validation.validation = 0.1;
  const auto run = run_world(with_validation, world, 5, 0.1);
  ASSERT_TRUE(run.ok()) << run.error().message();
  const TruthMetrics metrics = against_truth(run.value().model, world.truth());
  RecordProperty("squared_error", std::to_string(metrics.l2_squared_error));
  EXPECT_LT(metrics.l2_squared_error, 6 * GetParam().expected);
  std::size_t kept = 0;
  for (const Coefficient& c : run.value().model.coefficients) {
    if (world.truth()[c.feature] == 0) continue;
    ++kept;
    // Four standard errors and a little for what the ridge takes.
    EXPECT_NEAR(c.last_cohort, world.truth()[c.feature], 4 * c.standard_error + 0.01);
  }
  EXPECT_EQ(kept, 4u);
  EXPECT_EQ(run.value().model.verdict, Verdict::learned) << run.value().model.why_verdict;
  EXPECT_GT(run.value().model.validation.devices, 150u);
  EXPECT_FALSE(run.value().model.why_verdict.empty());
}

TEST_P(PaperProtocol, every_round_spends_the_manifests_epsilon_and_closes_again_to_the_same_model) {
  const SyntheticWorld world(small_world());
  const RegressionTerms terms = this->terms(world.spec(), 3);
  const CompiledStudy compiled = compile_study(study_of(terms).value(), repeatable_seed(8)).value();
  const Manifest manifest = read_manifest(compiled.manifest, "m").value();
  const MasterKey master{};
  const SessionFleet fleet(world, compiled.manifest, manifest, {8, 0, master});
  KeepingSink sink(SummingSink::open(compiled.manifest, master).value());
  const std::unique_ptr<Protocol> protocol = start_protocol(study_of(terms).value(), manifest).value();
  SessionFleet::Player player(fleet);
  for (;;) {
    const auto round = protocol->open();
    ASSERT_TRUE(round.ok()) << round.error().message();
    if (!round.value()) break;
    ASSERT_TRUE(sink.open_round(*round.value()).ok());
    std::vector<std::uint8_t> batch;
    ASSERT_TRUE(player.answer(*round.value(), 0, fleet.devices(), batch).ok());
    ASSERT_TRUE(sink.put_batch(0, batch).ok());
    ASSERT_TRUE(protocol->close(sink.close_round().value()).ok());
  }
  const Model model = protocol->model();
  // One report a device at most, and none that the collector refuses: cohorts are disjoint.
  EXPECT_LE(sink.counts()[Reason::accepted], world.devices());
  EXPECT_EQ(sink.counts()[Reason::accepted], sink.counts().total());

  const std::unique_ptr<Protocol> again = start_protocol(study_of(terms).value(), manifest).value();
  for (std::size_t i = 0; i < sink.rounds.size(); ++i) {
    const auto opened = again->open();
    ASSERT_TRUE(opened.ok() && opened.value());
    ASSERT_EQ(*opened.value(), sink.rounds[i]) << "round " << i + 1;
    const Round round = read_round(sink.rounds[i], "r").value();
    EXPECT_EQ(round.cohort, i);
    EXPECT_NE(manifest.questions & (1u << static_cast<unsigned>(round.question)), 0);
    const ChannelFacts facts = facts_of(round_spec(manifest, round).value());
    EXPECT_LE(facts.delivered, manifest.epsilon);
    EXPECT_GT(facts.delivered, manifest.epsilon - 1000) << facts.stem;  // rounding of 32-bit coins
    ASSERT_TRUE(again->close(RoundAggregate::load(manifest, round, sink.saved[i]).value()).ok());
  }
  EXPECT_FALSE(again->open().value());
  const Model second = again->model();
  ASSERT_EQ(second.coefficients.size(), model.coefficients.size());
  for (std::size_t i = 0; i < second.coefficients.size(); ++i) {
    EXPECT_EQ(second.coefficients[i].feature, model.coefficients[i].feature);
    EXPECT_EQ(second.coefficients[i].estimate, model.coefficients[i].estimate);
    EXPECT_EQ(second.coefficients[i].low, model.coefficients[i].low);
  }
}

TEST_P(PaperProtocol, the_plan_names_the_randomizer_of_the_first_round) {
  RegressionTerms terms = this->terms(small_world(), 3);
  const ProtocolPlan plan = plan_protocol(terms).value();
  const CompiledStudy compiled = compile_study(study_of(terms).value(), repeatable_seed(8)).value();
  const Manifest manifest = read_manifest(compiled.manifest, "m").value();
  const AnySpec asked = round_spec(manifest, read_round(compiled.round, "r").value()).value();
  EXPECT_EQ(facts_of(plan.first).digest, facts_of(asked).digest);
  EXPECT_GT(plan.predicted_error, 0);
}

TEST_P(PaperProtocol, a_round_with_too_few_reports_does_not_close) {
  const SyntheticWorld world(small_world());
  const auto run = run_world(terms(world.spec(), 3), world, 5, 0.99);
  ASSERT_FALSE(run.ok());
  EXPECT_EQ(run.error().code, "protocol.too_few");
}

TEST_P(PaperProtocol, a_fleet_that_is_too_small_is_refused_before_any_report) {
  RegressionTerms terms = this->terms(small_world(), 3);
  terms.devices = 9;
  terms.steps = 0;
  const auto plan = plan_protocol(terms);
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.error().code, "protocol.small_fleet");
}

INSTANTIATE_TEST_SUITE_P(Protocols, PaperProtocol,
                         ::testing::Values(Case{"two-round", false, 0.001}, Case{"two-round", true, 0.0015},
                                           Case{"multi-round", false, 0.0002}, Case{"multi-round", true, 0.004}));

TEST(MultiRound, more_steps_than_the_fleet_carries_are_refused_with_the_largest_number_that_fits) {
  for (const bool paper : {false, true}) {
    RegressionTerms terms = terms_of(small_world(), "multi-round", 3, paper);
    terms.devices = 200;
    terms.steps = 60;
    const auto refused = plan_protocol(terms);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, "protocol.too_many_rounds");
    // 160 devices that do not vote, two for each of four gradients; the paper: 100, in two questions a step.
    const std::uint32_t largest = paper ? 6 : 20;
    EXPECT_NE(refused.error().fix.find("at most " + std::to_string(largest) + " steps"), std::string::npos)
        << refused.error().fix;
    terms.steps = largest;
    const auto fits = plan_protocol(terms);
    ASSERT_TRUE(fits.ok()) << fits.error().message();
    EXPECT_EQ(fits.value().weights.size(), 1 + largest * (paper ? 2 : 1));
    terms.steps = largest + 1;
    EXPECT_FALSE(plan_protocol(terms).ok());
  }
}

TEST(TwoRound, without_a_signal_nothing_stands_out_and_nobody_else_is_asked) {
  SyntheticSpec spec = small_world();
  spec.signal.value = 0;
  int silent = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    spec.seed = seed;
    const SyntheticWorld world(spec);
    RegressionTerms terms = terms_of(spec, "two-round", 2, false);
    terms.norm = 0.6;  // what the analyst hoped for
    const auto run = run_world(terms, world, seed);
    ASSERT_TRUE(run.ok()) << run.error().message();
    const Model& model = run.value().model;
    if (model.rounds.size() > 1) continue;
    ++silent;
    EXPECT_EQ(model.verdict, Verdict::cannot_learn);
    EXPECT_TRUE(model.coefficients.empty());
  }
  // One of 48 features is above the threshold on average: about e^-1 of the runs have none. Of 12, fewer than one with odds of 0.4 %.
  EXPECT_GE(silent, 1);
}

TEST(TwoRound, devices_without_rows_are_divided_out) {
  SyntheticSpec spec = small_world();
  spec.empty = 0.4;
  const SyntheticWorld world(spec);
  const auto run = run_world(terms_of(spec, "two-round", 12, false), world, 6);
  ASSERT_TRUE(run.ok()) << run.error().message();
  EXPECT_NEAR(run.value().model.empty_share, 0.4, 0.1);
  // Not divided out, every coefficient would be 0.12 too small: 0.058 in all.
  EXPECT_LT(against_truth(run.value().model, world.truth()).l2_squared_error, 0.02);
}

TEST(TwoRound, intervals_of_the_last_cohort_hold_the_truth) {
  // The last one has ten devices for the bins of a coordinate: Hadamard response often finds the wrong one.
  for (const auto& [paper, devices] : {std::pair{false, 600u}, {true, 600u}, {true, 160u}}) {
    double covered = 0, intervals = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      SyntheticSpec spec = small_world();
      spec.devices = devices;
      spec.seed = seed;
      const SyntheticWorld world(spec);
      RegressionTerms terms = terms_of(spec, "two-round", 4, paper);
      terms.minimum = 8;
      const auto run = run_world(terms, world, seed);
      ASSERT_TRUE(run.ok()) << run.error().message();
      const TruthMetrics metrics = against_truth(run.value().model, world.truth());
      covered += metrics.covered;
      intervals += metrics.intervals;
    }
    ASSERT_GE(intervals, 100);
    RecordProperty(fmt::format("covered_{}_{}", paper, devices), std::to_string(covered / intervals));
    // 95 % are promised. Coefficients of a run share their error, so 160 intervals are worth about 60: four deviations are 0.11.
    EXPECT_GE(covered / intervals, 0.84) << (paper ? "paper, " : "default, ") << devices << " devices";
  }
}

}  // namespace
}  // namespace sotto::analyzer
