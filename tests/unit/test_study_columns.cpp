// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Columns of words and missing values in a study, and what kind its target is.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "sotto/analyzer/compile/read_study.hpp"
#include "sotto/analyzer/data/target_values.hpp"

namespace sotto::analyzer {
namespace {

std::string text_of(const std::string& study, const std::string& protocol, const std::string& rest) {
  return "name = \"t\"\n[privacy]\nepsilon = 4.0\n[study]\nsamples = 20\n" + study +
         "\n[protocol]\nkind = \"auto\"\ndevices = 400\nsparsity = 2\n" + protocol + "\n" + rest;
}

Study read(const std::string& text) {
  const Result<Study> study = read_study(text, "t.toml");
  if (!study) throw std::runtime_error(study.error().message());
  return study.value();
}

TEST(StudyColumns, become_features_in_the_order_of_their_names) {
  const Study study = read(text_of("missing_features = [\"b\"]", "features = [\"a\", \"b\", \"c\"]",
                                   "[levels]\na = [\"x\", \"y\"]\nb = [\"z\"]\n"));
  EXPECT_EQ(study.features, (std::vector<std::string>{"a=x", "a=y", "a=other", "b=z", "b=other", "b is missing", "c"}));
  ASSERT_EQ(study.columns.size(), 3u);
  EXPECT_EQ(study.columns[1].first, 3u);
  EXPECT_EQ(study.columns[1].features(), 3u);
  EXPECT_TRUE(study.columns[2].is_plain());
  EXPECT_EQ(study.regression->features, 7u);
  EXPECT_EQ(study.terms.scales.size(), 1u) << "devices use their own units, and one line of scales serves all";
}

TEST(StudyColumns, have_a_scale_each_where_units_are_stated) {
  const Study study = read(text_of("units = \"stated\"", "",
                                   "[target]\noffset = 0\nscale = 4\n[[feature]]\nname = \"a\"\n[[feature]]\nname = "
                                   "\"n\"\noffset = 10\nscale = 8\n[levels]\na = [\"x\"]\n"));
  ASSERT_EQ(study.terms.quantities.size(), 3u);
  EXPECT_EQ(study.features[2], "n");
  EXPECT_EQ(study.terms.quantities[2].offset, 10);
  EXPECT_EQ(study.terms.quantities[0].offset, 0.5) << "zeros and ones";
  EXPECT_EQ(study.terms.scales.size(), 3u);
}

TEST(TargetKinds, a_class_with_many_rows_is_learned_by_least_squares_and_with_one_by_its_link) {
  const Study many = read(text_of("", "features = 10", "[target]\nkind = \"class\"\n"));
  EXPECT_EQ(many.regression->kind, TargetKind::two_classes);
  EXPECT_EQ(many.regression->link, TargetLink::identity);
  EXPECT_EQ(many.regression->protocol->name, "cascade");
  const Study linked = read(text_of("", "features = 10\nlink = \"logistic\"", ""));
  EXPECT_EQ(linked.regression->kind, TargetKind::two_classes);
  EXPECT_EQ(linked.regression->protocol->name, "cascade");
  std::string one = text_of("", "features = 10",
                            "[target]\noffset = 0\nscale = 1\nkind = \"class\"\n[feature]\noffset = 0\nscale = 4\n");
  one.replace(one.find("samples = 20"), 12, "samples = 1");
  EXPECT_EQ(read(one).regression->protocol->name, "ldp-iht");
  EXPECT_EQ(read(one).regression->link, TargetLink::logistic);
  std::string named = text_of("", "features = 10", "[target]\nkind = \"class\"\n");
  named.replace(named.find("\"auto\""), 6, "\"federated-ht\"");
  EXPECT_EQ(read(named).regression->link, TargetLink::logistic);
}

TEST(TargetKinds, a_kind_and_a_link_that_say_different_things_are_refused) {
  for (const char* link : {"cosine", "logistic"}) {
    const Result<Study> study = read_study(
        text_of("", "features = 10\nlink = \"" + std::string(link) + "\"", "[target]\nkind = \"count\"\n"), "t.toml");
    ASSERT_FALSE(study.ok()) << link;
    EXPECT_NE(study.error().message().find("target.kind = \"count\""), std::string::npos) << study.error().message();
  }
}

Table targets(std::vector<float> y) {
  Table table;
  table.y = std::move(y);
  return table;
}

TEST(TargetValues, are_classes_counts_or_refused_by_value) {
  EXPECT_TRUE(targets_are_classes(targets({0, 1, 1})));
  EXPECT_TRUE(targets_are_classes(targets({-1, 1})));
  EXPECT_FALSE(targets_are_classes(targets({0, 1, 2})));
  EXPECT_FALSE(targets_are_classes(targets({-1, 0, 1})));
  Table table = targets({2, 5, 2});
  ASSERT_TRUE(read_targets_as(TargetKind::two_classes, "y", table).ok());
  EXPECT_EQ(table.y, (std::vector<float>{0, 1, 0}));
  table = targets({2, 5, 3});
  EXPECT_EQ(read_targets_as(TargetKind::two_classes, "y", table).error().code, "data.bad_class");
  table = targets({0, 7});
  ASSERT_TRUE(read_targets_as(TargetKind::count, "y", table).ok());
  EXPECT_FLOAT_EQ(table.y[1], std::log(8.0f));
  for (const float bad : {-1.0f, 0.5f}) {
    table = targets({0, bad});
    EXPECT_EQ(read_targets_as(TargetKind::count, "y", table).error().code, "data.bad_count");
  }
}

}  // namespace
}  // namespace sotto::analyzer
