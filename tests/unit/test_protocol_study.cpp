// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <gtest/gtest.h>

#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/compile/compile.hpp"
#include "sotto/analyzer/compile/read_study.hpp"
#include "sotto/analyzer/protocol/frame/complete_model.hpp"
#include "sotto/analyzer/protocol/frame/protocol.hpp"
#include "sotto/analyzer/protocol/registry/registry.hpp"
#include "sotto/analyzer/simulate/study_text.hpp"

namespace sotto::analyzer {
namespace {

StudyDraft usual_draft() {
  StudyDraft draft;
  draft.name = "plain";
  draft.epsilon = 4;
  draft.devices = 400;
  draft.features = 64;
  draft.norm = 0.7;
  draft.units = RowUnits::stated;
  draft.validation = 0;
  draft.target = {"y", "", 0, 1};
  return draft;
}

Study read_back(const StudyDraft& draft) {
  const Result<Study> study = read_study(study_text(draft), "study.toml");
  if (!study) throw std::runtime_error(study.error().message() + "\n" + study_text(draft));
  return study.value();
}

TEST(StudyText, says_what_the_draft_says) {
  StudyDraft draft = usual_draft();
  draft.epsilon = 2.5;
  draft.protocol = "boost";
  draft.samples = 33;
  draft.sparsity = 5;
  draft.noise = 0.125;
  draft.norm = 1e-3;
  draft.correlated = true;
  draft.minimum = 12;
  draft.authenticated = false;
  draft.comments = {"A comment.", "name = \"not this\""};
  const Study study = read_back(draft);
  const RegressionTerms& terms = study.regression.value();
  EXPECT_EQ(study.name, "plain");
  EXPECT_EQ(terms.epsilon, EpsilonNano{2'500'000'000});
  EXPECT_EQ(terms.protocol->name, "boost");
  EXPECT_EQ(terms.devices, 400u);
  EXPECT_EQ(terms.samples, 33u);
  EXPECT_EQ(terms.features, 64u);
  EXPECT_EQ(terms.sparsity, 5u);
  EXPECT_EQ(terms.noise, 0.125);
  EXPECT_EQ(terms.norm, 1e-3);
  EXPECT_TRUE(terms.correlated);
  EXPECT_EQ(terms.minimum, 12u);
  EXPECT_EQ(terms.unit_q15, 8192u);
  EXPECT_FALSE(study.terms.authenticated);
  EXPECT_EQ(study.terms.target_quantity.name, "y");
  EXPECT_EQ(study.terms.target_quantity.scale, 4);  // full scale: four deviations
}

TEST(StudyText, strange_names_and_numbers_come_back_as_they_were) {
  StudyDraft draft = usual_draft();
  draft.name = "say \"hello\" \\ tab\there";
  draft.target = {"target\nwith two lines", "°C", -273.15, 1.0 / 3};
  const std::vector<std::string> names = {
      "plain",           "with \"quotes\"",  "back\\slash\\u0041", "# no comment", "[[feature]]",
      "温度 \U0001f321", "bell\x07 del\x7f", " spaces around ",    "a = 1",        "'"};
  for (std::size_t j = 0; j < names.size(); ++j)
    draft.quantities.push_back({names[j], j % 2 == 0 ? "m/s\"" : "", 1e5 * static_cast<double>(j), 0.1});
  const Study study = read_back(draft);
  EXPECT_EQ(study.name, draft.name);
  EXPECT_EQ(study.features, names);
  EXPECT_EQ(study.regression->features, names.size());
  EXPECT_EQ(study.terms.target_quantity.name, draft.target.name);
  EXPECT_EQ(study.terms.target_quantity.unit, "°C");
  EXPECT_DOUBLE_EQ(study.terms.target_quantity.offset, -273.15);
  EXPECT_DOUBLE_EQ(study.terms.target_quantity.scale, 4.0 / 3);
  for (std::size_t j = 0; j < names.size(); ++j) {
    EXPECT_EQ(study.terms.quantities[j].unit, draft.quantities[j].unit);
    EXPECT_DOUBLE_EQ(study.terms.quantities[j].offset, draft.quantities[j].offset);
    EXPECT_DOUBLE_EQ(study.terms.quantities[j].scale, 0.4);
  }
}

TEST(CompleteModel, values_per_unit_and_the_intercept_follow_from_the_scales) {
  StudyDraft draft = usual_draft();
  draft.target = {"wear", "um", 100, 8};
  draft.quantities = {{"load", "kg", 50, 2}, {"speed", "m/s", 3, 0.5}, {"age", "d", 400, 90}};
  draft.sparsity = 2;
  const Study study = read_back(draft);
  const CompiledStudy compiled = compile_study(study, repeatable_seed(1)).value();
  const Manifest manifest = read_manifest(compiled.manifest, "the manifest").value();
  Model model;
  model.coefficients.resize(2);
  model.coefficients[0].feature = 1;
  model.coefficients[0].estimate = 0.25;
  model.coefficients[1].feature = 0;
  model.coefficients[1].estimate = -0.5;
  model.votes = {{"", 2, 0.5, 0.1}};
  ReasonCounts counts;
  counts.of[static_cast<std::size_t>(Reason::accepted)] = 390;
  counts.of[static_cast<std::size_t>(Reason::duplicate)] = 7;
  complete_model(study, manifest, counts, model);
  // A quarter of 8 um for each 0.5 m/s, minus half of 8 um for each 2 kg.
  EXPECT_DOUBLE_EQ(model.coefficients[0].per_unit, 4);
  EXPECT_DOUBLE_EQ(model.coefficients[1].per_unit, -2);
  EXPECT_DOUBLE_EQ(model.intercept, 100 - 4 * 3 + 2 * 50);
  EXPECT_EQ(model.coefficients[0].name, "speed");
  EXPECT_EQ(model.coefficients[0].unit, "m/s");
  EXPECT_EQ(model.votes[0].name, "age");
  EXPECT_EQ(model.target, "wear");
  EXPECT_EQ(model.target_unit, "um");
  EXPECT_EQ(model.protocol, "cascade");
  EXPECT_EQ(model.reports_used, 390u);
  EXPECT_EQ(model.reports_refused, 7u);
  ASSERT_EQ(model.refused_by_reason.size(), 1u);
  EXPECT_EQ(model.refused_by_reason[0].second, 7u);
  EXPECT_EQ(model.epsilon, 4);
  EXPECT_LE(model.epsilon_delivered, 4);
  EXPECT_FALSE(model.privacy.empty());
  EXPECT_EQ(model.assumed_public.size(), 6u);  // the last says that these numbers are the simulated truth
}

TEST(Protocol, nothing_is_asked_where_nothing_can_be_learned) {
  for (const char* protocol : {"cascade", "boost"}) {
    StudyDraft draft = usual_draft();
    draft.protocol = protocol;
    draft.epsilon = 0.5;
    draft.devices = 60;
    const Study study = read_back(draft);
    const CompiledStudy compiled = compile_study(study, repeatable_seed(1)).value();
    EXPECT_TRUE(compiled.round.empty());
    const Manifest manifest = read_manifest(compiled.manifest, "the manifest").value();
    const auto machine = start_protocol(study, manifest).value();
    EXPECT_FALSE(machine->open().value().has_value());
    const Model model = machine->model();
    EXPECT_EQ(model.verdict, Verdict::cannot_learn);
    EXPECT_TRUE(model.coefficients.empty());
    EXPECT_NE(model.why_verdict.find("60 devices"), std::string::npos);
  }
}

}  // namespace
}  // namespace sotto::analyzer
