// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <gtest/gtest.h>

#include "sotto/analyzer/compile/read_study.hpp"
#include "sotto/analyzer/plan/compare.hpp"
#include "sotto/analyzer/simulate/study_text.hpp"

namespace sotto::analyzer {
namespace {

/// A study whose plan is plain: many devices, few variables that explain half.
Study study_of(const char* protocol) {
  StudyDraft draft;
  draft.name = "planned";
  draft.protocol = protocol;
  draft.epsilon = 4;
  draft.devices = 4000;
  draft.samples = 50;
  draft.features = 20;
  draft.sparsity = 3;
  draft.norm = 0.7;
  draft.noise = 0.7;
  draft.target = {"y", "", 0, 1};
  return std::move(read_study(study_text(draft), "study.toml")).value();
}

/// Validated by 200 devices with this gain.
Model model_of(double gain) {
  Model out;
  out.why_verdict = "measured";
  out.validation = {.devices = 200, .gain = gain, .gain_low = gain - 0.02, .gain_high = gain + 0.02};
  return out;
}

TEST(PlanCompare, a_model_far_below_its_plan_is_less_than_planned) {
  const std::string said = compare_with_plan(study_of("cascade"), model_of(-0.1));
  EXPECT_TRUE(said.starts_with("less than planned: if the features explain the 0.")) << said;
  EXPECT_TRUE(said.ends_with("; they may explain less")) << said;
}

TEST(PlanCompare, a_model_far_above_its_plan_is_more_than_planned) {
  const std::string said = compare_with_plan(study_of("cascade"), model_of(0.9));
  EXPECT_TRUE(said.starts_with("more than planned")) << said;
}

// The norm of 0.7 explains half of a target of variance 1, a gain of 0.33; of a large fleet nearly all of it is learned.
TEST(PlanCompare, a_model_that_explains_what_the_study_states_is_as_much_as_planned) {
  const std::string said = compare_with_plan(study_of("cascade"), model_of(0.32));
  EXPECT_TRUE(said.starts_with("as much as planned")) << said;
}

TEST(PlanCompare, the_same_model_is_always_told_the_same) {
  const Study study = study_of("cascade");
  EXPECT_EQ(compare_with_plan(study, model_of(0.3)), compare_with_plan(study, model_of(0.3)));
}

TEST(PlanCompare, stands_behind_the_reason_of_the_verdict) {
  Model model = model_of(0.9);
  tell_plan(study_of("cascade"), model);
  EXPECT_TRUE(model.why_verdict.starts_with("measured; more than planned")) << model.why_verdict;
}

TEST(PlanCompare, says_nothing_of_what_no_device_measured) {
  const Study study = study_of("cascade");
  Model model = model_of(0.3);
  model.validation.devices = 0;
  tell_plan(study, model);
  EXPECT_EQ(model.why_verdict, "measured");
  model.validation.devices = 200;
  model.validation.classes = true;
  EXPECT_EQ(compare_with_plan(study, model), "");
}

}  // namespace
}  // namespace sotto::analyzer
