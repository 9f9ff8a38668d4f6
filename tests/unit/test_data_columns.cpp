// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Columns as people have them: other separators, words, dates, missing values, row numbers.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <string>

#include "sotto/analyzer/data/missing.hpp"
#include "sotto/analyzer/data/table.hpp"
#include "sotto/analyzer/data/table_warnings.hpp"
#include "temporary_directory.hpp"

namespace sotto::analyzer {
namespace {

class TableColumnsOf : public testing::Test {
 protected:
  Result<Table> read(const std::string& text, const TableColumns& columns) const {
    const auto path = directory_ / "t.csv";
    std::ofstream(path, std::ios::binary) << text;
    return read_table(path, columns);
  }
  void expect_refused(const std::string& text, const TableColumns& columns, std::string_view code,
                      std::string_view part) const {
    const auto table = read(text, columns);
    ASSERT_FALSE(table.ok()) << code;
    EXPECT_EQ(table.error().code, code) << table.error().message();
    EXPECT_NE((table.error().message() + table.error().fix).find(part), std::string::npos) << table.error().message();
  }

  TemporaryDirectory directory_;
};

TEST_F(TableColumnsOf, separators_are_told_by_the_first_line) {
  for (const std::string text : {"y;a;b\n1;2,5;-3\n2;4;5,25\n", "y\ta\tb\n1\t2.5\t-3\n2\t4\t5.25\n",
                                 "y,\"a\",b\n1,2.5,-3\n2,4,5.25\n", "y;\"a\";\"b\"\n1;\"2,5\";-3\n2;4;5.25\n"}) {
    const auto read_back = read(text, {"", "y"});
    ASSERT_TRUE(read_back.ok()) << read_back.error().message();
    EXPECT_EQ(read_back.value().features, (std::vector<std::string>{"a", "b"})) << text;
    EXPECT_EQ(read_back.value().x, (std::vector<float>{2.5f, -3, 4, 5.25f})) << text;
    EXPECT_EQ(read_back.value().notes.empty(), text[1] == ',') << text;
  }
  // Separators within quotes do not count, and with commas a comma is no decimal point.
  const auto quoted = read("y,\"a;b;c;d\"\n1,2\n2,3\n", {"", "y"});
  ASSERT_TRUE(quoted.ok());
  EXPECT_EQ(quoted.value().features, std::vector<std::string>{"a;b;c;d"});
  expect_refused("y,a\n1,\"2,5\"\n", {"", "y"}, "data.text_column", "(2,5)");
}

TEST_F(TableColumnsOf, words_become_a_feature_for_each_level_and_others_go_to_other) {
  const auto read_back =
      read("y,color,a\n1,red,7\n2, green ,8\n3,violet,9\n4,,6\n",
           {.user = "", .target = "y", .levels = {{"color", {"red", "green"}}}, .keeps_missing = true});
  ASSERT_TRUE(read_back.ok()) << read_back.error().message();
  const Table& table = read_back.value();
  EXPECT_EQ(table.features, (std::vector<std::string>{"color=red", "color=green", "color=other", "a"}));
  EXPECT_EQ(table.sources[1].kind, FeatureSource::Kind::level);
  EXPECT_EQ(table.sources[1].level, "green");
  EXPECT_EQ(table.sources[2].kind, FeatureSource::Kind::other);
  EXPECT_EQ(table.sources[3].column, "a");
  EXPECT_EQ(std::vector<float>(table.x.begin(), table.x.begin() + 12),
            (std::vector<float>{1, 0, 0, 7, 0, 1, 0, 8, 0, 0, 1, 9}));
  EXPECT_TRUE(std::isnan(table.x[12]) && std::isnan(table.x[14]));
  EXPECT_EQ(table.x[15], 6);
}

TEST_F(TableColumnsOf, words_without_levels_are_refused_or_taken_from_the_data_and_said) {
  const std::string text = "y,color,a\n1,red,7\n2,green,8\n3,red,9\n";
  expect_refused(text, {"", "y"}, "data.text_column", "--levels color=");
  const auto taken = read(text, {.user = "", .target = "y", .takes_levels_from_data = true});
  ASSERT_TRUE(taken.ok()) << taken.error().message();
  EXPECT_EQ(taken.value().x, (std::vector<float>{1, 0, 7, 0, 1, 8, 1, 0, 9}));
  ASSERT_EQ(taken.value().notes.size(), 1u);
  EXPECT_NE(taken.value().notes[0].find("--levels color=red,green"), std::string::npos);
  std::string many = "y,color\n";
  for (int i = 0; i < 51; ++i) many += "1,c" + std::to_string(i) + "\n";
  expect_refused(many, {.user = "", .target = "y", .takes_levels_from_data = true}, "data.many_levels",
                 "--leave-out color");
}

TEST_F(TableColumnsOf, dates_are_left_out_and_said) {
  for (const std::string date :
       {"2024-03-01", "1.3.2024", "03/01/24", "2024-03-01T12:30:00Z", "2024-03-01 12:30:00.5", "12:30"}) {
    const auto table = read("y,when,a\n1,,7\n1," + date + ",7\n2,NA,8\n",
                            {.user = "", .target = "y", .leaves_out_dates = true, .keeps_missing = true});
    ASSERT_TRUE(table.ok()) << date << table.error().message();
    EXPECT_EQ(table.value().features, std::vector<std::string>{"a"}) << date;
    EXPECT_EQ(table.value().dates, std::vector<std::string>{"when"}) << date;
    EXPECT_EQ(table.value().x, (std::vector<float>{7, 7, 8})) << date;
    EXPECT_EQ(table.value().notes.size(), 1u);
  }
  const TableColumns columns{.user = "", .target = "y", .leaves_out_dates = true};
  expect_refused("y,when,a\n1,2024-03-01,7\n1,12,7\n", columns, "data.not_a_date", "t.csv:3");
  expect_refused("y,when,a\n1,12,7\n1,2024-03-01,7\n", columns, "data.not_a_number", "t.csv:3");
  for (const std::string word : {"2024-3", "1-2-3", "10-20-x", "1.5", "12:3", "v1.2.2024"})
    expect_refused("y,when,a\n1," + word + "z,7\n", columns, "data.text_column", "when");
}

TEST_F(TableColumnsOf, missing_values_are_kept_filled_in_and_may_be_a_feature) {
  const std::string text = "y,a,b\n1,,2\n2,NA,4\n3,nan,6\n4,10,n/a\n5,20,NULL\n";
  expect_refused(text, {"", "y"}, "data.not_a_number", "a is missing");
  auto read_back = read(text, {.user = "", .target = "y", .keeps_missing = true, .is_missing = {"a"}});
  ASSERT_TRUE(read_back.ok()) << read_back.error().message();
  Table& table = read_back.value();
  EXPECT_EQ(table.features, (std::vector<std::string>{"a", "a is missing", "b"}));
  EXPECT_EQ(table.sources[1].kind, FeatureSource::Kind::missing);
  const std::vector<std::string> notes = fill_missing(table);
  EXPECT_EQ(table.x, (std::vector<float>{15, 1, 2, 15, 1, 4, 15, 1, 6, 10, 0, 4, 20, 0, 4}));
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_NE(notes[0].find("a: 3 of 5 values are missing"), std::string::npos);
  expect_refused(text, {.user = "", .target = "y", .is_missing = {"y"}}, "data.same_column", "--missing-feature");
  expect_refused("y,a\n,2\n", {.user = "", .target = "y", .keeps_missing = true}, "data.not_a_number",
                 "the target y is missing");
}

TEST_F(TableColumnsOf, a_target_in_words_needs_its_positive_level_and_must_vary) {
  const std::string text = "y,a\nyes,1\nno,2\nyes,3\n";
  expect_refused(text, {"", "y"}, "data.not_a_number", "--positive \"yes\"");
  const auto table = read(text, {.user = "", .target = "y", .positive = "yes"});
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(table.value().y, (std::vector<float>{1, 0, 1}));
  expect_refused(text, {.user = "", .target = "y", .positive = "maybe", .target_varies = true}, "data.constant_target",
                 "never \"maybe\"");
  expect_refused("y,a\n3,1\n3,2\n", {.user = "", .target = "y", .target_varies = true}, "data.constant_target",
                 "the target y is the same");
}

TEST_F(TableColumnsOf, what_looks_like_an_identifier_is_warned_about) {
  std::string text = "y,id,counter,shuffled,age,value,year\n";
  for (int i = 0; i < 100; ++i) {
    text += std::to_string(i % 2);
    for (const int v : {i % 7, 1000 + 3 * i, (i * 37) % 101, 20 + i % 50}) text += "," + std::to_string(v);
    text += "," + std::to_string(i) + ".5," + std::to_string(2000 + i % 20) + "\n";
  }
  const auto table = read(text, {"", "y"});
  ASSERT_TRUE(table.ok()) << table.error().message();
  const std::vector<std::string> warnings = identifier_warnings(table.value());
  ASSERT_EQ(warnings.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NE(warnings[i].find("--leave-out " + table.value().features[i]), std::string::npos) << warnings[i];
}

}  // namespace
}  // namespace sotto::analyzer
