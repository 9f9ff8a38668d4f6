// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "src/text/nesting.hpp"

#include <gtest/gtest.h>

#include <string>

#include "sotto/analyzer/compile/read_study.hpp"
#include "sotto/analyzer/model/model_file.hpp"
#include "sotto/analyzer/study/study.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::size_t k_many = 1'000'000;

std::string repeated(std::string_view part, std::size_t times) {
  std::string text;
  text.reserve(part.size() * times);
  for (std::size_t i = 0; i < times; ++i) text += part;
  return text;
}

TEST(TomlNesting, parts_of_a_key_and_open_brackets_are_counted_up_to_the_bound) {
  EXPECT_FALSE(toml_too_deep("a.b.c = 1", 3));
  EXPECT_TRUE(toml_too_deep("a.b.c.d = 1", 3));
  EXPECT_TRUE(toml_too_deep("[a.b.c.d]", 3));
  EXPECT_TRUE(toml_too_deep("\"a\" . 'b' . \"c\" . d = 1", 3));
  EXPECT_FALSE(toml_too_deep("a = [[[1, 2], [3]], [[4]]]", 3));
  EXPECT_TRUE(toml_too_deep("a = [[[[1]]]]", 3));
  EXPECT_TRUE(toml_too_deep("a = {b = {c = [{}]}}", 3));
}

TEST(TomlNesting, numbers_and_lists_of_any_length_are_no_depth) {
  EXPECT_FALSE(toml_too_deep("a = [" + repeated("1.5, ", 1000) + "]", 3));
  EXPECT_FALSE(toml_too_deep(repeated("[[feature]]\nlow = -1.5\n", 1000), 3));
}

TEST(TomlNesting, what_strings_and_comments_hold_is_skipped) {
  for (const std::string text : {"a = \"........[[[[[{{{{\"", "a = '........[[[[\\'", "a = \"\\\"....[[[[\"",
                                 "# ....[[[[\nb = 1", "a = \"\"\"\n....\n[[[[ \" \"\" \\\"\"\"....\"\"\"\"\"",
                                 "a = '''\n....'[[[[''\n'''''", "a = \"\" # ....[[[[", "\"a......b\" = 1"})
    EXPECT_FALSE(toml_too_deep(text, 3)) << text;
}

TEST(TomlNesting, what_stands_behind_a_string_is_seen) {
  for (const std::string behind : {"\na.b.c.d = 1", "\n[a.b.c.d]", "\nx = [[[[1]]]]"}) {
    for (const std::string before :
         {"s = \"x\"", "s = 'x\\'", "s = \"\\\\\"", "s = \"\"", "s = ''", "s = \"\"\"x\"\"\"", "s = '''x'''",
          "s = \"\"\"x\"\"\"\"\"", "s = \"\"\"\\\"\"\"\"", "s = '''x'''''", "s = \"open", "s = 'open", "# \"\"\"",
          "s = 1 # '''", "s = \"open\\"}) {
      const auto deep = toml_too_deep(before + behind, 3);
      ASSERT_TRUE(deep) << before << behind;
      EXPECT_EQ(deep->line, 2u) << before << behind;
    }
  }
}

TEST(JsonNesting, brackets_outside_of_strings_are_counted) {
  EXPECT_FALSE(json_too_deep("{\"a\": [[1], [2]], \"b\": \"[[[[[\\\"[[[[\"}", 3));
  EXPECT_TRUE(json_too_deep("{\"a\": [[[1]]]}", 3));
  EXPECT_TRUE(json_too_deep("\"\\\\\"[[[[", 3));
  EXPECT_EQ(json_too_deep("[\n[\n[\n[", 3)->line, 4u);
}

TEST(StudyNesting, a_key_of_a_million_parts_is_refused_by_name) {
  for (const std::string& text :
       {repeated("a.", k_many) + "a = 1", "[" + repeated("a.", k_many) + "a]",
        "[[" + repeated("\"a\".", k_many) + "a]]", "name = " + repeated("[", k_many),
        "name = " + repeated("{a=", k_many), "name = {" + repeated("a.", k_many) + "a = 1}"}) {
    const Result<Study> study = read_study("\n\n" + text, "here");
    ASSERT_FALSE(study);
    EXPECT_EQ(study.error().code, "study.too_deep");
    EXPECT_NE(study.error().what.find("here:3:"), std::string::npos) << study.error().what;
  }
}

TEST(StudyNesting, a_file_too_large_to_be_a_study_is_refused_before_it_is_parsed) {
  const Result<Study> study = read_study(std::string((std::size_t{1} << 24) + 1, '\n'), "here");
  ASSERT_FALSE(study);
  EXPECT_EQ(study.error().code, "study.too_large");
}

TEST(ModelNesting, deep_values_are_refused_wherever_they_stand) {
  const std::string deep = repeated("[", k_many) + repeated("]", k_many);
  for (const std::string& text :
       {deep, "{\"format\": " + deep + "}", "{\"format\": \"sotto-model-1\", \"study\": " + deep + "}",
        repeated("{\"a\":", k_many)}) {
    const Result<Model> model = read_model(text, "here");
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().code, "model.too_deep");
  }
  EXPECT_EQ(read_model(std::string((std::size_t{1} << 26) + 1, ' '), "here").error().code, "model.too_large");
}

}  // namespace
}  // namespace sotto::analyzer
