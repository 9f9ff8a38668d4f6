// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/compile/compile.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "report_kit.hpp"
#include "sotto/analyzer/channel/describe.hpp"
#include "sotto/analyzer/compile/read_study.hpp"
#include "sotto/local/lasso.hpp"
#include "sotto/local/readings.hpp"
#include "sotto/question/vote.hpp"

namespace sotto::analyzer {
namespace {

CompiledStudy compiled(const std::string& text, std::uint64_t seed = 1) {
  const Result<Study> study = read_study(text, "here");
  EXPECT_TRUE(study.ok()) << study.error().message();
  Result<CompiledStudy> made = compile_study(study.value(), repeatable_seed(seed));
  EXPECT_TRUE(made.ok()) << made.error().message();
  return std::move(made).value();
}

/// What the device library says about a round.
Status device_check(const CompiledStudy& c) {
  const Manifest manifest = read_manifest(c.manifest, "").value();
  const Round round = read_round(c.round, "").value();
  Asked asked{{}, {}, round, {manifest.seed, 1, 1}, true, manifest};
  return k_vote.check(asked);
}

TEST(StudyCompile, every_field_of_the_file_reaches_the_manifest) {
  const CompiledStudy c =
      compiled(vote_study("collector = \"000102030405060708090a0b0c0d0e0f\"\nauthenticated = false\nsamples = "
                          "77\nanswers = 3\ncohorts = [1, 0, 5]\n"
                          "deviation = 0.5"));
  const Manifest m = read_manifest(c.manifest, "").value();
  for (std::uint8_t i = 0; i < 16; ++i) EXPECT_EQ(m.collector[i], i);
  EXPECT_FALSE(m.authenticated);
  EXPECT_TRUE(m.one_scale);
  EXPECT_EQ(m.nominal_rows, 77u);
  EXPECT_EQ(m.answers, 3u);
  EXPECT_EQ(m.cohorts, 3u);
  EXPECT_EQ(m.weights[4], 5);
  EXPECT_EQ(m.unit_q15, 16384u);
  EXPECT_EQ(m.features, 8u);
  EXPECT_EQ(m.epsilon, 2 * k_epsilon_one);
  EXPECT_EQ(m.delta, 0u);
  EXPECT_TRUE(may_ask(m, QuestionKind::vote));
  EXPECT_EQ(m.questions, 2u);
  const Round r = read_round(c.round, "").value();
  EXPECT_EQ(r.cohort, 0) << "of several cohorts the first is asked first";
  EXPECT_TRUE(std::ranges::equal(r.study, manifest_digest(m)));
}

TEST(StudyCompile, scales_turn_readings_into_q15_as_the_file_says) {
  const CompiledStudy c = compiled(
      "name = \"x\"\n[privacy]\nepsilon = 1\n[question]\nkind = \"vote\"\n"
      "[[feature]]\nname = \"temperature\"\nunit = \"0.01 C\"\noffset = 2000\nscale = 4000\n"
      "[[feature]]\nname = \"load\"\nscale = 100\n"
      "[target]\nname = \"energy\"\noffset = -5\nscale = 10.5\n");
  const Manifest m = read_manifest(c.manifest, "").value();
  ASSERT_EQ(m.features, 2u);
  EXPECT_FALSE(m.one_scale);
  const auto q15 = [&](std::int32_t reading, std::uint32_t j) {
    return reading_q15_saturate(reading, manifest_scale(m, j));
  };
  EXPECT_EQ(q15(2000, 0), 0);
  EXPECT_EQ(q15(4000, 0), 16384);
  EXPECT_EQ(q15(50, 1), 16384);
  EXPECT_EQ(q15(-100, 1), -32768);
  EXPECT_EQ(q15(-5, 2), 0);
  EXPECT_NEAR(q15(0, 2), 5 / 10.5 * 32768, 1);
}

TEST(StudyCompile, equal_scales_are_stored_once) {
  const std::string head = "name = \"x\"\n[privacy]\nepsilon = 1\n[question]\nkind = \"vote\"\n";
  const std::string same = "[[feature]]\nname = \"a\"\nscale = 7\n[[feature]]\nname = \"b\"\nscale = 7\n";
  EXPECT_EQ(compiled(head + same).manifest.size(), 112u);
  EXPECT_EQ(compiled(head + "features = 2\n[feature]\nscale = 7\n").manifest, compiled(head + same).manifest);
}

TEST(StudyCompile, devices_accept_every_recipe_that_a_file_can_name) {
  for (const char* question : {"selector = \"given\"", "", "selector = \"lasso\"",
                               "selector = \"scad\"\nkeep = 5\npick = \"weighted\"\nvisits = 9",
                               "selector = \"largest-mean\"", "selector = \"lasso\"\nlambda = 0.125"}) {
    std::string text = "name = \"x\"\n[privacy]\nepsilon = 2\n[question]\nkind = \"vote\"\nfeatures = 8\n";
    EXPECT_EQ(device_check(compiled(text + question)), Status::ok) << question;
  }
}

TEST(StudyCompile, lambda_follows_from_the_rule) {
  const std::string text =
      "name = \"x\"\n[privacy]\nepsilon = 2\n[study]\nsamples = 50\ndeviation = 0.5\n[question]\nkind = \"vote\"\n"
      "features = 256\nselector = \"lasso\"\nnoise = 0.1\n";
  const CompiledStudy c = compiled(text);
  const Round r = read_round(c.round, "").value();
  EXPECT_EQ(r.recipe, Recipe::lasso);
  EXPECT_EQ(r.parameter[recipe::selection::columns], 64u);
  EXPECT_EQ(r.parameter[recipe::selection::lambda], lambda_rule_q24(256, 50, 16384, 3277));
  EXPECT_NEAR(r.parameter[recipe::selection::lambda] / 16777216.0, 0.1 * 0.5 * std::sqrt(2 * std::log(256.0) / 50),
              1e-4);
  EXPECT_EQ(r.parameter[recipe::selection::pick], 0u);
  EXPECT_EQ(r.parameter[recipe::selection::visits], 8192u);
}

TEST(StudyCompile, the_seed_is_drawn_and_every_study_has_its_own) {
  EXPECT_NE(drawn_seed(), drawn_seed());
  EXPECT_EQ(repeatable_seed(4), repeatable_seed(4));
  EXPECT_NE(repeatable_seed(4), repeatable_seed(5));
  EXPECT_EQ(compiled(vote_study(), 3).manifest, compiled(vote_study(), 3).manifest);
  EXPECT_NE(compiled(vote_study(), 3).manifest, compiled(vote_study(), 4).manifest);
}

TEST(StudyCompile, what_a_manifest_cannot_hold_is_refused_by_name) {
  const auto code = [](const std::string& question) {
    const Result<Study> study = read_study("name = \"x\"\n[privacy]\nepsilon = 2\n[question]\n" + question, "here");
    EXPECT_TRUE(study.ok()) << study.error().message();
    const Result<CompiledStudy> made = compile_study(study.value(), {});
    return made.ok() ? std::string_view("ok") : made.error().code;
  };
  EXPECT_EQ(code("kind = \"direction\"\ndimension = 9\n"), "study.no_recipe");
  EXPECT_EQ(code("kind = \"bin\"\nbins = 9\n"), "study.no_recipe");
  EXPECT_EQ(code("kind = \"vote\"\nfeatures = 65536\n"), "study.bad_dimension");
  EXPECT_EQ(code("kind = \"vote\"\nfeatures = 65535\n"), "ok");
  std::string many = "kind = \"vote\"\n";
  for (int j = 0; j < 5100; ++j)
    many += "[[feature]]\nname = \"f" + std::to_string(j) + "\"\nscale = " + std::to_string(j + 1) + "\n";
  EXPECT_EQ(code(many), "study.too_large");
}

TEST(StudyDescribe, a_changed_field_is_one_change) {
  const CompiledStudy a = compiled(vote_study()), b = compiled(vote_study("samples = 99"));
  const std::vector<Change> found =
      changes(describe(read_manifest(a.manifest, "").value()), describe(read_manifest(b.manifest, "").value()));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].field, "samples");
  EXPECT_EQ(found[0].from, "100 rows, nominal");
  EXPECT_EQ(found[0].to, "99 rows, nominal");
}

TEST(StudyDescribe, units_of_rows_are_told_and_own_ones_have_no_scales) {
  const std::vector<std::uint8_t> stated = compiled(vote_study()).manifest;
  std::vector<std::uint8_t> centred = stated;
  centred[5] |= 1u << 2;
  const std::vector<Fact> before = describe(read_manifest(stated, "").value());
  const std::vector<Change> found = changes(before, describe(read_manifest(centred, "").value()));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].field, "units of rows");

  Manifest own = read_manifest(stated, "").value();
  own.units = RowUnits::own;
  own.one_scale = false;
  const auto has_scale = [](const std::vector<Fact>& facts) {
    return std::ranges::any_of(facts, [](const Fact& fact) { return fact.field.find("scale") != std::string::npos; });
  };
  EXPECT_TRUE(has_scale(before));
  EXPECT_FALSE(has_scale(describe(own)));
}

}  // namespace
}  // namespace sotto::analyzer
