// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <zlib.h>

#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "sotto/analyzer/central/model.hpp"
#include "sotto/analyzer/data/libsvm.hpp"
#include "temporary_directory.hpp"

namespace sotto::analyzer::central {
namespace {

class CentralData : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    const auto path = directory_ / name.c_str();
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
  }
  DataSettings of(const std::string& file) {
    DataSettings s;
    s.file = file;
    return s;
  }
  std::string code(const DataSettings& s) {
    const auto made = prepare(s, nullptr);
    return made.ok() ? "accepted" : std::string(made.error().code);
  }

  TemporaryDirectory directory_;
};

TEST_F(CentralData, libsvm_is_read_as_it_stands_and_stays_sparse) {
  const auto read = read_libsvm(write("a.svm", "+1 1:0.5 3:-2 # a remark\n\n-1 2:1e-3\r\n1\n"), 3);
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read.value().columns, 3u);
  EXPECT_EQ(read.value().first, (std::vector<std::uint64_t>{0, 2, 3, 3}));
  EXPECT_EQ(read.value().column, (std::vector<std::uint32_t>{0, 2, 1}));
  EXPECT_EQ(read.value().value, (std::vector<float>{0.5f, -2, 1e-3f}));
  EXPECT_EQ(read.value().y, (std::vector<float>{1, -1, 1}));
}

TEST_F(CentralData, libsvm_is_unpacked) {
  const std::string path = (directory_ / "a.libsvm.gz").string();
  gzFile file = gzopen(path.c_str(), "wb");
  gzputs(file, "1 1:1\n0 2:1\n");
  gzclose(file);
  DataSettings s = of(path);
  s.scaling = RowScaling::rows;
  s.features = 2;
  const auto made = prepare(s, nullptr);
  ASSERT_TRUE(made.ok()) << made.error().message();
  EXPECT_TRUE(made.value().problem.x.is_sparse());
}

TEST_F(CentralData, libsvm_with_mistakes_is_refused_with_its_line) {
  const struct {
    const char *text, *code;
  } cases[] = {{"1 2:1 2:1\n", "data.bad_index"}, {"1 0:1\n", "data.bad_index"},
               {"1 a:1\n", "data.bad_index"},     {"1 1\n", "data.bad_index"},
               {"1 1:x\n", "data.not_a_number"},  {"one 1:1\n", "data.not_a_number"},
               {"1 1:nan\n", "data.not_finite"},  {"1 1:1e99\n", "data.not_finite"},
               {"inf 1:1\n", "data.not_finite"},  {"", "data.no_rows"}};
  for (const auto& c : cases) {
    const auto read = read_libsvm(write("bad.svm", c.text), 5);
    ASSERT_FALSE(read.ok()) << c.text;
    EXPECT_EQ(read.error().code, c.code) << c.text;
  }
  EXPECT_NE(read_libsvm(write("bad.svm", "1 1:1\n1 3:1 2:1\n"), 5).error().what.find("bad.svm:2:"), std::string::npos);
}

TEST_F(CentralData, how_many_features_libsvm_has_is_given_and_not_read_off_the_rows) {
  // The last row has features that no other has; one of them is beyond what is declared, and one beyond all measure.
  const std::string without = "1 1:1\n0 2:1\n1\n", with = "1 1:1\n0 2:1\n1 3:1 4:2 99999999:1\n";
  for (const std::string& text : {without, with}) {
    const auto read = read_libsvm(write("a.svm", text), 3);
    ASSERT_TRUE(read.ok()) << read.error().message();
    EXPECT_EQ(read.value().columns, 3u);
  }
  const auto read = read_libsvm(write("a.svm", with), 3);
  EXPECT_EQ(read.value().column, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(read.value().first, (std::vector<std::uint64_t>{0, 1, 2, 3}));
  DataSettings s = of(write("a.svm", with));
  s.scaling = RowScaling::rows;
  EXPECT_EQ(code(s), "data.no_feature_count");
  s.features = 0;
  EXPECT_EQ(code(s), "data.no_feature_count");
  s.features = (1u << 24) + 1;
  EXPECT_EQ(code(s), "data.too_many_features");
  s.features = 3;
  EXPECT_EQ(code(s), "accepted");
}

TEST_F(CentralData, standard_rows_are_cut_at_five_deviations_and_say_what_was_taken_for_public) {
  std::string text = "user,y,a,b\n";
  for (int i = 0; i < 100; ++i)
    text += std::to_string(i) + "," + std::to_string(i % 2) + "," + (i == 0 ? "1000000" : "0") + "," +
            std::to_string(i) + "\n";
  DataSettings s = of(write("rows.csv", text));
  s.left_out = {"user"};
  const auto made = prepare(s, nullptr);
  ASSERT_TRUE(made.ok()) << made.error().message();
  EXPECT_EQ(made.value().names, (std::vector<std::string>{"a", "b"}));
  EXPECT_FLOAT_EQ(made.value().problem.x.values(0)[0], 5);
  std::string assumed;
  for (const std::string& line : made.value().assumed_public) assumed += line;
  EXPECT_NE(assumed.find("not paid for"), std::string::npos);
  EXPECT_EQ(made.value().scales_source, ScalesSource::exact);
}

TEST_F(CentralData, scales_that_are_paid_for_come_with_their_bill_and_exact_ones_are_never_proven) {
  std::string text = "y,a\n";
  for (int i = 0; i < 2000; ++i) text += std::to_string(i % 2) + "," + std::to_string(100 + i % 7) + "\n";
  DataSettings s = of(write("rows.csv", text));
  Coins coins(1);
  const MomentsPayment payment{0.1, Adjacency::add_remove, coins};
  const PreparedData paid = prepare(s, &payment).value(), exact = prepare(s, nullptr).value();
  EXPECT_EQ(paid.scales_source, ScalesSource::paid);
  double precision = 0;
  for (const GaussianRelease& release : paid.paid) precision += 1 / (release.z * release.z);
  EXPECT_LE(precision, 0.1);
  EXPECT_GT(precision, 0.0999);
  EXPECT_NEAR(paid.scales[0].offset, 103, 1);
  FitSettings settings;
  settings.method = Method::dp_iht;
  settings.budget = Budget{4, 1e-5};
  settings.nonzeros = 1;
  for (const PreparedData* data : {&paid, &exact}) {
    settings.paid_before = data->paid;
    const auto made = fit(all_rows(data->problem), settings, coins);
    ASSERT_TRUE(made.ok()) << made.error().message();
    const FittedModel model = describe_fit(*data, settings, made.value(), false, 1);
    EXPECT_EQ(model.is_covered(), data == &paid);
    EXPECT_EQ(fit_verdict(model), data == &paid ? "private" : "privacy not proven");
    EXPECT_EQ(fit_json(model).find("\"proven\": true") != std::string::npos, data == &paid);
  }
}

TEST_F(CentralData, scales_may_come_from_a_file) {
  const std::string rows = write("rows.csv", "y,a\n0,3\n1,5\n");
  DataSettings s = of(rows);
  s.scales_file = write("scales.csv", "name,offset,deviation\na,1,2\nz,0,1\n");
  EXPECT_FLOAT_EQ(prepare(s, nullptr).value().problem.x.values(1)[0], 2);
  s.scales_file = write("scales.csv", "name,offset,deviation\nb,1,2\nz,0,1\n");
  EXPECT_EQ(code(s), "data.missing_scale");
  s.scales_file = write("scales.csv", "name,offset,deviation\na,1,0\nz,0,1\n");
  EXPECT_EQ(code(s), "data.bad_scale");
  s.scales_file = write("scales.csv", "name,offset,deviation\na,1,2\n");
  EXPECT_EQ(code(s), "accepted");
}

TEST_F(CentralData, a_column_that_is_left_out_may_hold_anything) {
  for (const char* rows : {"id,y,a\n7,0,3\n7,1,5\n", "id,y,a\nx,0,3\ny,1,5\n"}) {
    DataSettings s = of(write("rows.csv", rows));
    s.left_out = {"id"};
    const auto made = prepare(s, nullptr);
    ASSERT_TRUE(made.ok()) << made.error().message();
    EXPECT_EQ(made.value().names, (std::vector<std::string>{"a"}));
  }
}

TEST_F(CentralData, a_model_with_a_coefficient_that_is_no_number_says_so) {
  PreparedData data;
  data.names = {"a"};
  data.scales = {{.offset = 0, .deviation = 1e-40}};
  FitResult result;
  result.w = hard_threshold({1e200}, 1);
  EXPECT_TRUE(describe_fit(data, {}, result, false, 1).is_finite());
  result.w = hard_threshold({1e300}, 1);
  EXPECT_FALSE(describe_fit(data, {}, result, false, 1).is_finite());
}

TEST_F(CentralData, labels_values_and_bounds_outside_of_their_domain_are_refused) {
  EXPECT_EQ(code(of(write("a.csv", "y,a\n0,1\n1,2\n2,3\n"))), "data.bad_label");
  EXPECT_EQ(code(of(write("a.csv", "y,a\n-1,1\n0,2\n"))), "accepted");  // no row decides what another's label means
  EXPECT_EQ(code(of(write("a.csv", "y,a\n-1,1\n1,2\n"))), "accepted");
  EXPECT_EQ(code(of(write("a.csv", "y,a\nnan,1\n1,2\n"))), "data.not_finite");
  EXPECT_EQ(code(of(write("a.csv", "y,a\n0,inf\n1,2\n"))), "data.not_finite");
  DataSettings s = of(write("a.csv", "y,a\n0,1\n1,2\n"));
  s.scaling = RowScaling::none;
  EXPECT_EQ(code(s), "data.bad_bound");
  s.row_bound = 2;
  s.value_bound = -1;
  EXPECT_EQ(code(s), "data.bad_bound");
  s.value_bound = 1e-31;
  EXPECT_EQ(code(s), "data.bad_bound");
  s.value_bound = 1;
  EXPECT_EQ(code(s), "accepted");
  s = of(write("a.svm", "1 1:1\n0 2:1\n"));
  EXPECT_EQ(code(s), "data.sparse_standard");
}

}  // namespace
}  // namespace sotto::analyzer::central
