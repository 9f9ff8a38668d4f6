// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/model/model_file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <nlohmann/json.hpp>

#include "sample_model.hpp"

namespace sotto::analyzer {
namespace {

using Json = nlohmann::ordered_json;

Json sample_json() { return Json::parse(model_json(sample_model())); }

/// A model with everything that the file knows, the function among it.
Model whole_model() {
  Model m = sample_model();
  m.columns = {{"mode", {"eco", "sport"}}, {"humidity", {}}};
  m.function = {.basis = "cosines",
                .inputs = {{"age", "h", 50, 50}},
                .coefficients = {0.5, -0.25},
                .phase = {0.1, 0.7},
                .place = {0.3, -0.2},
                .target_offset = 1,
                .target_scale = 2,
                .curve = {{0, 0.1, 0, 0.2}, {100, 0.3, 0.2, 0.4}}};
  return m;
}

Error refused(const Json& json) {
  const Result<Model> read = read_model(json.dump(), "m.json");
  EXPECT_FALSE(read.ok());
  return read.ok() ? Error{} : read.error();
}

TEST(ModelFile, what_is_written_is_read_back) {
  for (const Model& model : {sample_model(), empty_model(), hostile_model(), whole_model(), Model{}}) {
    const std::string text = model_json(model);
    const Result<Model> read = read_model(text, "m.json");
    ASSERT_TRUE(read.ok()) << read.error().message();
    EXPECT_EQ(model_json(read.value()), text);
  }
  const Model m = sample_model(), r = read_model(model_json(m), "m.json").value();
  EXPECT_EQ(r.study, m.study);
  EXPECT_EQ(r.verdict, m.verdict);
  EXPECT_EQ(r.target_unit, "µm/s");
  ASSERT_EQ(r.coefficients.size(), m.coefficients.size());
  for (std::size_t i = 0; i < m.coefficients.size(); ++i) {
    EXPECT_EQ(r.coefficients[i].name, m.coefficients[i].name);
    EXPECT_EQ(r.coefficients[i].feature, m.coefficients[i].feature);
    EXPECT_EQ(r.coefficients[i].estimate, m.coefficients[i].estimate);  // to the bit
    EXPECT_EQ(r.coefficients[i].p_value, m.coefficients[i].p_value);
    EXPECT_EQ(r.coefficients[i].found, m.coefficients[i].found);
  }
  EXPECT_EQ(r.refused_by_reason, m.refused_by_reason);
  EXPECT_EQ(r.privacy, m.privacy);
  EXPECT_EQ(r.rounds.back().reports, m.rounds.back().reports);
  EXPECT_EQ(r.error.clipping, m.error.clipping);
}

TEST(ModelFile, starts_with_its_format_and_has_its_keys_in_one_order) {
  std::vector<std::string> keys;
  const Json json = sample_json();
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"format",         "study",    "verdict",   "why_verdict", "protocol",
                                            "target",         "features", "columns",   "intercept",   "level",
                                            "coefficients",   "link",     "function",  "error",       "units",
                                            "validation",     "empty",    "votes",     "rounds",      "privacy",
                                            "assumed_public", "reports",  "simulated", "command",     "made_by"}));
  EXPECT_EQ(json["format"], "sotto-model-1");
}

TEST(ModelFile, an_unknown_number_is_null_and_comes_back_as_na_n) {
  Model m = sample_model();
  m.coefficients[1].standard_error = std::nan("");
  m.coefficients[2].high = std::numeric_limits<double>::infinity();
  const Json json = Json::parse(model_json(m));
  EXPECT_TRUE(json["coefficients"][1]["standard_error"].is_null());
  EXPECT_TRUE(json["coefficients"][2]["high"].is_null());
  EXPECT_TRUE(std::isnan(read_model(model_json(m), "m").value().coefficients[1].standard_error));
}

TEST(ModelFile, bytes_that_are_no_utf8_are_replaced) {
  Model m = sample_model();
  m.study =
      "a\xff"
      "b";
  EXPECT_EQ(read_model(model_json(m), "m").value().study, "a\uFFFDb");
}

TEST(ModelFile, every_missing_key_is_named_with_its_path) {
  const Json whole = Json::parse(model_json(whole_model()));
  const Json flat = whole.flatten();
  std::size_t tried = 0;
  for (const auto& [pointer, value] : flat.items()) {
    const Json::json_pointer at(pointer);
    if (pointer == "/format" || whole[at.parent_pointer()].is_array() ||
        pointer.find("/refused_by_reason/") != std::string::npos)
      continue;
    Json cut = whole;
    cut[at.parent_pointer()].erase(at.back());
    const Error error = refused(cut);
    EXPECT_EQ(error.code, "model.missing") << pointer;
    EXPECT_TRUE(error.value.ends_with(at.back())) << error.value;
    ++tried;
  }
  EXPECT_GT(tried, 100u);
  Json cut = whole;
  cut["coefficients"][3].erase("p_value");
  EXPECT_EQ(refused(cut).value, "coefficients[3].p_value");
  EXPECT_NE(refused(cut).what.find("m.json"), std::string::npos);
}

TEST(ModelFile, every_wrong_type_is_refused) {
  const Json whole = Json::parse(model_json(whole_model()));
  const Json flat = whole.flatten();
  for (const auto& [pointer, value] : flat.items()) {
    if (pointer == "/format") continue;
    Json wrong = whole;
    wrong[Json::json_pointer(pointer)] = Json::array({Json::object()});
    const Error error = refused(wrong);
    EXPECT_EQ(error.code, "model.bad_value") << pointer;
  }
  for (const char* key : {"study", "coefficients", "error", "privacy", "reports", "votes", "rounds"}) {
    Json wrong = whole;
    wrong[key] = 3;
    EXPECT_EQ(refused(wrong).code, "model.bad_value") << key;
    EXPECT_EQ(refused(wrong).value, std::string(key) + ": 3");
  }
}

TEST(ModelFile, a_function_whose_parts_do_not_fit_is_refused) {
  const Json whole = Json::parse(model_json(whole_model()));
  const auto code = [&](const char* key, const Json& value) {
    Json wrong = whole;
    wrong["function"][key] = value;
    return refused(wrong).code;
  };
  EXPECT_EQ(code("basis", "waves"), "model.bad_value");
  EXPECT_EQ(code("phase", Json::array({0.1})), "model.bad_value");
  EXPECT_EQ(code("place", Json::array({0.1})), "model.bad_value");
  EXPECT_EQ(code("coefficients", Json::array({0.1})), "model.bad_value");
  EXPECT_EQ(code("coefficients", Json::array({0.1, nullptr})), "model.bad_value");
  EXPECT_EQ(code("basis", "bumps"), "model.bad_value");  // without a bandwidth
}

TEST(ModelFile, numbers_that_predictions_rest_on_are_never_null) {
  const Json whole = Json::parse(model_json(whole_model()));
  for (const char* place :
       {"/intercept", "/coefficients/0/estimate", "/function/target_scale", "/function/target_offset",
        "/function/bandwidth", "/function/inputs/0/scale", "/function/inputs/0/offset", "/function/coefficients/0",
        "/function/phase/1", "/function/place/0"}) {
    Json wrong = whole;
    wrong.at(Json::json_pointer(place)) = nullptr;
    EXPECT_EQ(refused(wrong).code, "model.bad_value") << place;
    EXPECT_TRUE(refused(wrong).value.ends_with(": null")) << place;
  }
}

TEST(LearnedFunction, is_the_sum_of_its_basis_in_the_units_of_the_study) {
  const LearnedFunction f = read_model(model_json(whole_model()), "m").value().function;
  const double turn = 2 * std::numbers::pi, x = (75.0 - 50) / 50;
  const double wanted = 1 + 2 * (0.5 * std::cos(turn * (0.1 + 0.3 * x)) - 0.25 * std::cos(turn * (0.7 - 0.2 * x)));
  const double reading = 75, beyond = 500, end = 100;
  EXPECT_NEAR(f({&reading, 1}), wanted, 1e-12);
  EXPECT_EQ(f({&beyond, 1}), f({&end, 1}));
  LearnedFunction bumps = f;
  bumps.basis = "bumps";
  bumps.bandwidth = 0.5;
  const double left = (x - 0.3) / 0.5, right = (x + 0.2) / 0.5;
  EXPECT_NEAR(bumps({&reading, 1}), 1 + 2 * (0.5 * std::exp(-left * left / 2) - 0.25 * std::exp(-right * right / 2)),
              1e-12);
}

TEST(ModelFile, numbers_outside_their_range_are_refused) {
  Json wrong = sample_json();
  wrong["rounds"][0]["number"] = 65536;
  EXPECT_EQ(refused(wrong).value, "rounds[0].number: 65536");
  wrong = sample_json();
  wrong["features"] = -1;
  EXPECT_EQ(refused(wrong).value, "features: -1");
  wrong = sample_json();
  wrong["reports"]["used"] = 1.5;
  EXPECT_EQ(refused(wrong).value, "reports.used: 1.5");
  wrong = sample_json();
  wrong["verdict"] = "certain";
  EXPECT_EQ(refused(wrong).value, "verdict: \"certain\"");
}

TEST(ModelFile, other_texts_are_refused) {
  for (const char* text : {"", "{", "[]", "3", "nul", "{\"format\": \"sotto-model-1\"} x", "\xff\xfe"})
    EXPECT_EQ(read_model(text, "m").error().code, "model.not_json") << text;
  EXPECT_EQ(read_model("{}", "m").error().code, "model.other_format");
  EXPECT_EQ(read_model("{\"format\": 1}", "m").error().code, "model.other_format");
  const Result<Model> newer = read_model("{\"format\": \"sotto-model-2\"}", "m");
  EXPECT_EQ(newer.error().code, "model.other_format");
  EXPECT_EQ(newer.error().value, "\"sotto-model-2\"");
  EXPECT_EQ(read_model("{\"format\": \"sotto-model-1\"}", "m").error().code, "model.missing");
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "[";
  EXPECT_EQ(read_model(deep, "m").error().code, "model.too_deep");
}

TEST(ModelFile, a_key_that_it_does_not_know_is_left_alone) {
  Json more = sample_json();
  more["later"] = {1, 2};
  EXPECT_TRUE(read_model(more.dump(), "m").ok());
}

}  // namespace
}  // namespace sotto::analyzer
