// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "regression_kit.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/compile/compile.hpp"
#include "sotto/analyzer/data/design_file.hpp"
#include "sotto/analyzer/math/xoshiro.hpp"
#include "sotto/analyzer/protocol/registry/registry.hpp"
#include "sotto/analyzer/simulate/fleet_design.hpp"
#include "sotto/analyzer/simulate/model_simulation.hpp"
#include "temporary_directory.hpp"

namespace sotto::analyzer {
namespace {

using Bytes = std::vector<std::uint8_t>;

SyntheticSpec sign_world(std::uint64_t devices, std::uint32_t features) {
  SyntheticSpec spec;
  spec.devices = devices;
  spec.features = features;
  spec.nonzeros = 12;  // so many signs together are nearly normal
  spec.signal = {Signal::Kind::uniform, 1};
  spec.noise = {Noise::Kind::uniform, 0.05};
  spec.design = Design::rademacher;
  return spec;
}

RepeatResult simulated(const SyntheticSpec& world, const Assumptions& assumed, const ProtocolChoice& choice,
                       double epsilon, double delta = 0, std::uint64_t seed = 1000) {
  FleetSource source;
  source.synthetic = world;
  ModelSimulation simulation(std::move(source), assumed);
  SimulationOptions options;
  options.epsilon = epsilon;
  options.delta = delta;
  options.seed = seed;
  Result<RepeatResult> made = simulation.run(choice, options);
  EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.error().message());
  return made.ok() ? std::move(made).value() : RepeatResult{};
}

/// The target's law is declared; noise and deviation are the truth unless said.
Assumptions declared(std::optional<double> norm = {}, std::optional<double> noise = {},
                     std::optional<double> deviation = {}) {
  Assumptions out;
  out.norm = norm;
  out.noise = noise;
  out.target_deviation = deviation;
  out.target_is_normal = true;
  return out;
}
Assumptions undeclared(double norm, std::optional<double> deviation = {}) {
  Assumptions out = declared(norm, {}, deviation);
  out.target_is_normal = false;
  return out;
}

bool says(const Model& model, std::string_view part) {
  return std::ranges::any_of(model.assumed_public,
                             [&](const std::string& s) { return s.find(part) != std::string::npos; });
}

TEST(Labels, every_way_learns_a_sparse_model_and_says_what_it_spends) {
  const SyntheticSpec world = sign_world(4000, 60);
  for (const char* way : {"one-bit", "window", "laplace", "gaussian"}) {
    SCOPED_TRACE(way);
    const bool noisy = std::string_view(way) == "gaussian";
    const RepeatResult run = simulated(world, declared(), {"label-iht", false, way}, 4, noisy ? 1e-3 : 0);
    EXPECT_LT(run.truth->relative_error, noisy ? 0.35 : 0.15);
    EXPECT_EQ(run.model.verdict, Verdict::learned) << run.model.why_verdict;
    EXPECT_NEAR(run.model.delta, noisy ? 1e-3 : 0, 1e-12);
    EXPECT_EQ(run.model.reports_used, 4000u);
    EXPECT_TRUE(std::ranges::any_of(run.model.privacy, [](const std::string& s) {
      return s.find("a label study identifies rows") != std::string::npos;
    }));
    const Manifest manifest = read_manifest(run.compiled.manifest, "m").value();
    EXPECT_EQ(manifest.unit, PrivacyUnit::label);
    EXPECT_EQ(manifest.delta, noisy ? 18446744073709551u : 0u);
  }
}

TEST(Labels, the_lasso_learns_too_and_stays_small_where_it_does_not) {
  const RepeatResult run = simulated(sign_world(4000, 60), declared(), {"label-lasso", false, "auto"}, 2);
  EXPECT_LT(run.truth->relative_error, 0.5);
  SyntheticSpec nothing = sign_world(4000, 60);
  nothing.signal = {Signal::Kind::equal, 0};
  nothing.noise = {Noise::Kind::gaussian, 1};
  const RepeatResult none = simulated(nothing, undeclared(1, 1.4), {"label-lasso", false, "auto"}, 2);
  EXPECT_LT(none.truth->l2_squared_error, 0.05);
}

TEST(Labels, without_a_declared_law_the_clip_is_wide_and_nothing_is_divided_out) {
  const RepeatResult run = simulated(sign_world(6000, 60), {}, {"label-iht", false, "auto"}, 4);
  EXPECT_LT(run.truth->relative_error, 0.35);
  EXPECT_FALSE(says(run.model, "declared law"));
  const Round round = read_round(run.record.rounds.front(), "r").value();
  EXPECT_EQ(round.question, QuestionKind::label);
  EXPECT_NEAR(round.parameter[recipe::target::bound] / 8192.0, 3, 0.05);
}

TEST(Labels, a_link_is_fitted_along) {
  SyntheticSpec cosine = sign_world(4000, 60);
  cosine.link = TargetLink::cosine;
  EXPECT_LT(simulated(cosine, declared(), {"label-iht", false, "window"}, 4).truth->relative_error, 0.2);
  SyntheticSpec classes = sign_world(8000, 60);
  classes.link = TargetLink::logistic;
  classes.signal = {Signal::Kind::equal, 0.4};
  EXPECT_LT(simulated(classes, {}, {"label-iht", false, "one-bit"}, 4).truth->relative_error, 0.35);
}

// The study says 1 where the target's deviation is 2, and the other way round.
TEST(Labels, a_declared_deviation_that_is_wrong_by_two_fails_the_fit_and_widens_the_intervals) {
  SyntheticSpec world = sign_world(6000, 40);
  world.noise = {Noise::Kind::gaussian, 1};
  const double truth = std::sqrt(2.0);
  const Assumptions right = declared(2);
  const RepeatResult good = simulated(world, right, {"label-iht", false, "window"}, 4);
  EXPECT_TRUE(says(good.model, "law of the target fits"));
  for (const double factor : {0.5, 2.0}) {
    SCOPED_TRACE(factor);
    const Assumptions wrong = declared(2, factor, factor * truth);
    const RepeatResult run = simulated(world, wrong, {"label-iht", false, "window"}, 4);
    EXPECT_TRUE(says(run.model, "does not fit")) << run.model.why_verdict;
    EXPECT_NE(run.model.verdict, Verdict::learned);
    EXPECT_NE(run.model.why_verdict.find("does not follow the declared law"), std::string::npos);
    ASSERT_FALSE(run.model.coefficients.empty());
    for (const Coefficient& c : run.model.coefficients) {
      if (!std::isfinite(c.standard_error)) continue;
      EXPECT_GT(c.standard_error, 0.1 * std::abs(c.last_cohort)) << "a gain that is only declared is doubted";
    }
  }
  const RepeatResult wide = simulated(world, undeclared(2), {"label-iht", false, "window"}, 4);
  for (const Coefficient& c : wide.model.coefficients) {
    if (std::isfinite(c.standard_error) && std::abs(c.last_cohort) > 0.5) {
      EXPECT_LT(c.standard_error, 0.1 * std::abs(c.last_cohort));
    }
  }
}

TEST(Labels, one_bit_cannot_check_a_law) {
  const RepeatResult run = simulated(sign_world(4000, 40), declared(), {"label-iht", false, "one-bit"}, 4);
  EXPECT_TRUE(says(run.model, "cannot be told"));
}

TEST(Labels, a_small_fleet_is_not_asked_and_the_model_says_how_many_it_takes) {
  const RepeatResult run = simulated(sign_world(200, 1000), {}, {"label-iht", false, "auto"}, 0.5);
  EXPECT_EQ(run.model.verdict, Verdict::cannot_learn);
  EXPECT_TRUE(run.model.coefficients.empty());
  EXPECT_TRUE(run.record.rounds.empty());
  EXPECT_EQ(run.model.reports_used, 0u);
  EXPECT_NE(run.model.why_verdict.find("this fleet is too small: need about "), std::string::npos);
}

/// One record a device: a target that is the same in every world, features that are not.
class OtherFeatures final : public FleetData {
 public:
  explicit OtherFeatures(std::uint64_t seed) : seed_(seed) {}
  [[nodiscard]] std::uint64_t devices() const noexcept override { return 300; }
  [[nodiscard]] std::uint32_t features() const noexcept override { return 12; }
  void read(std::uint64_t device, DeviceRows& out) const override {
    Xoshiro features(seed_, device), target(7, device);
    out.rows = 1;
    out.numbers.resize(13);
    for (std::size_t j = 0; j < 12; ++j) out.numbers[j] = static_cast<Q15>(features.word());
    out.numbers[12] = static_cast<Q15>(target.word());
  }

 private:
  std::uint64_t seed_;
};

TEST(Labels, no_feature_enters_a_report) {
  for (const LabelWay way : {LabelWay::one_bit, LabelWay::window, LabelWay::laplace, LabelWay::gaussian}) {
    SCOPED_TRACE(label_way_name(way));
    RegressionTerms terms;
    terms.protocol = find_protocol("label-iht");
    terms.devices = 100000;
    terms.samples = 1;
    terms.features = 12;
    terms.epsilon = 2 * k_epsilon_one;
    terms.label = way;
    terms.delta = way == LabelWay::gaussian ? 18446744073709u : 0;
    const Result<Study> study = study_of(terms);
    ASSERT_TRUE(study.ok()) << study.error().message();
    const CompiledStudy compiled = compile_study(study.value(), repeatable_seed(1)).value();
    const Manifest manifest = read_manifest(compiled.manifest, "m").value();
    std::vector<Bytes> sent;
    for (const std::uint64_t seed : {1, 2}) {
      const OtherFeatures data(seed);
      const SessionFleet fleet(data, compiled.manifest, manifest, {.seed = 9});
      SessionFleet::Player player(fleet);
      ASSERT_TRUE(player.answer(compiled.round, 0, data.devices(), sent.emplace_back()).ok());
    }
    EXPECT_GT(sent[0].size(), 300u * 30);
    EXPECT_EQ(sent[0], sent[1]);
  }
}

TEST(ReportSet, parts_merge_to_the_same_bytes_and_damage_is_refused) {
  const AnySpec spec = [] {
    GaussianSpec s{2 * k_epsilon_one, 18446744073709u, 64, 0, 1};
    EXPECT_EQ(derive(s), Status::ok);
    return AnySpec{s};
  }();
  const ReportSet empty = ReportSet::open(spec).value();
  ReportSet all = empty, left = empty, right = empty;
  Xoshiro random(5, 0);
  for (int i = 0; i < 200; ++i) {
    const CoinLabel who{nullptr, random.word() | 1, 1};
    const std::uint32_t number = random.below(1 << 24);
    all.absorb(who, number);
    (i % 3 == 0 ? left : right).absorb(who, number);
  }
  EXPECT_FALSE(all.absorb({nullptr, 1, 1}, 1 << 24));
  EXPECT_FALSE(right.absorb({nullptr, 1, 1}, 1 << 24));
  Bytes one, other;
  all.save(one);
  ASSERT_TRUE(right.merge(left).ok());
  right.save(other);
  EXPECT_EQ(one, other);
  EXPECT_EQ(ReportSet::load(spec, one).value().sorted(), all.sorted());
  for (std::size_t cut = 0; cut < one.size(); cut += 97)
    EXPECT_FALSE(ReportSet::load(spec, std::span(one).first(cut)).ok()) << cut;
  for (const std::size_t at : {std::size_t{0}, std::size_t{5}, std::size_t{40}, std::size_t{60}, one.size() - 1}) {
    Bytes changed = one;
    changed[at] ^= 1;
    EXPECT_FALSE(ReportSet::load(spec, changed).ok()) << at;
  }
  EXPECT_EQ(ReportSet::open(AnySpec{WalshHashSpec{k_epsilon_one, 64, 3, 0}}).error().code, "protocol.no_aggregate");
}

TEST(DesignFile, holds_what_was_written_and_refuses_other_bytes) {
  const TemporaryDirectory directory;
  const OtherFeatures data(3);
  RegressionTerms terms;
  terms.protocol = find_protocol("label-lasso");
  terms.devices = 100000;
  terms.samples = 1;
  terms.features = 12;
  terms.epsilon = k_epsilon_one;
  const CompiledStudy compiled = compile_study(study_of(terms).value(), repeatable_seed(1)).value();
  const Manifest manifest = read_manifest(compiled.manifest, "m").value();
  const SessionFleet fleet(data, compiled.manifest, manifest, {.seed = 9});
  const FleetDesign design(data, fleet);
  const Digest study = manifest_digest(manifest);
  const std::filesystem::path path = directory / k_design_name;
  ASSERT_TRUE(write_design(path, study, design).ok());
  const auto file = DesignFile::open(path, study);
  ASSERT_TRUE(file.ok()) << file.error().message();
  ASSERT_EQ(file.value()->rows(), 300u);
  std::vector<Q15> there(12), here(12);
  for (std::uint64_t row = 0; row < 300; ++row) {
    EXPECT_EQ(file.value()->pseudonym(row), design.pseudonym(row));
    ASSERT_TRUE(file.value()->read(row, there) && design.read(row, here));
    EXPECT_EQ(there, here);
  }
  Digest other = study;
  other[0] ^= 1;
  EXPECT_EQ(DesignFile::open(path, other).error().code, "design.other_study");
  std::ifstream in(path, std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(in), {}};
  for (std::size_t bit = 0; bit < 8 * whole.size(); bit += bit < 700 ? 1 : 37) {
    std::string flipped = whole;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ 1 << bit % 8);
    { std::ofstream(path, std::ios::binary | std::ios::trunc) << flipped; }
    const auto opened = DesignFile::open(path, study);
    ASSERT_FALSE(opened.ok()) << "bit " << bit;
    ASSERT_TRUE(opened.error().code.starts_with("design.")) << opened.error().message();
  }
  { std::ofstream(path, std::ios::binary | std::ios::trunc) << whole; }
  ASSERT_TRUE(DesignFile::open(path, study).ok());
  std::filesystem::resize_file(path, 20);
  EXPECT_EQ(DesignFile::open(path, study).error().code, "design.not_a_design");
  std::ofstream(path) << "id,x\n";
  EXPECT_EQ(DesignFile::open(path, study).error().code, "design.not_a_design");
  EXPECT_EQ(DesignFile::open(directory / "none", study).error().code, "io.cannot_read");
}

TEST(FederatedHt, learns_linear_models_and_classes) {
  SyntheticSpec world;
  world.devices = 1200;
  world.samples_low = world.samples_high = 40;
  world.features = 40;
  world.nonzeros = 5;
  world.signal = {Signal::Kind::equal, 0.4};
  const RepeatResult linear = simulated(world, {}, {"federated-ht"}, 8);
  EXPECT_LT(linear.truth->relative_error, 0.25);
  EXPECT_EQ(linear.model.verdict, Verdict::learned) << linear.model.why_verdict;
  EXPECT_TRUE(std::ranges::all_of(linear.model.coefficients, [](const Coefficient& c) { return std::isnan(c.low); }));
  world.link = TargetLink::logistic;
  const RepeatResult classes = simulated(world, {}, {"federated-ht"}, 8);
  ASSERT_TRUE(classes.classes.has_value());
  EXPECT_LT(classes.classes->model, (classes.classes->limit + classes.classes->chance) / 2);
}

TEST(FederatedHt, a_small_fleet_is_not_asked) {
  SyntheticSpec world;
  world.devices = 30;
  world.samples_low = world.samples_high = 5;
  world.features = 500;
  world.nonzeros = 20;
  world.signal = {Signal::Kind::equal, 0.05};
  const RepeatResult run = simulated(world, {}, {"federated-ht"}, 1);
  EXPECT_EQ(run.model.verdict, Verdict::cannot_learn);
  EXPECT_EQ(run.model.reports_used, 0u);
  EXPECT_NE(run.model.why_verdict.find("need about"), std::string::npos);
}

TEST(FederatedHt, more_features_than_a_direction_holds_are_refused_by_name) {
  RegressionTerms terms;
  terms.protocol = find_protocol("federated-ht");
  terms.devices = 1000;
  terms.features = 5000;
  terms.epsilon = k_epsilon_one;
  EXPECT_EQ(plan_protocol(terms).error().code, "protocol.too_many_features");
}

}  // namespace
}  // namespace sotto::analyzer
