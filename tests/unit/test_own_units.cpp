// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/model/own_units.hpp"

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "sotto/analyzer/html/rows_table.hpp"

namespace sotto::analyzer {
namespace {

constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();

Model own_model() {
  Model m;
  m.units = "device";
  m.target = "y";
  m.coefficients.resize(2);
  m.coefficients[0] = {.feature = 0, .name = "a", .unit = "K", .estimate = 0.5, .per_unit = k_nan};
  m.coefficients[1] = {.feature = 3, .name = "b", .unit = "", .estimate = -0.25, .per_unit = k_nan};
  return m;
}

ColumnScales scales(const std::string& text) {
  const auto file = std::filesystem::temp_directory_path() / ("own_units_" + std::to_string(::getpid()) + ".csv");
  std::ofstream(file) << text;
  auto read = ColumnScales::read(file);
  std::filesystem::remove(file);
  EXPECT_TRUE(read.ok());
  return std::move(read).value();
}

TEST(OwnUnits, scales_turn_device_deviations_into_units) {
  const auto made = with_scales(own_model(), scales("name,offset,deviation\ny,100,8\na,20,2\nb,1,0.5\n"));
  ASSERT_TRUE(made.ok());
  EXPECT_DOUBLE_EQ(made.value().coefficients[0].per_unit, 0.5 * 8 / 2);
  EXPECT_DOUBLE_EQ(made.value().coefficients[1].per_unit, -0.25 * 8 / 0.5);
  EXPECT_DOUBLE_EQ(made.value().intercept, 100 - 2 * 20 + 4 * 1);
  EXPECT_EQ(made.value().units, "device");
}

TEST(OwnUnits, a_class_has_no_scale_of_its_own) {
  Model m = own_model();
  m.link = "logistic";
  const auto made = with_scales(m, scales("name,offset,deviation\na,20,2\nb,1,0.5\n"));
  ASSERT_TRUE(made.ok());
  EXPECT_DOUBLE_EQ(made.value().coefficients[0].per_unit, 0.25);
}

TEST(OwnUnits, what_is_missing_or_stated_already_is_refused) {
  const auto missing = with_scales(own_model(), scales("name,offset,deviation\ny,100,8\na,20,2\n"));
  EXPECT_EQ(missing.error().code, "data.missing_scale");
  EXPECT_EQ(missing.error().value, "b");
  Model stated = own_model();
  stated.units = "stated";
  EXPECT_EQ(with_scales(stated, scales("name,offset,deviation\ny,0,1\n")).error().code, "model.stated_units");
  EXPECT_EQ(predict_own(stated, {}).error().code, "model.stated_units");
}

TEST(OwnUnits, rows_are_scaled_by_their_own_device) {
  // The same rows in other units and with other offsets are predicted the same, in the units of each device's target.
  OwnRows rows;
  const std::vector<double> a{-1, 0, 1, 0}, y{2, 4, 6, 4};
  for (std::size_t i = 0; i < 4; ++i) {
    rows.device.insert(rows.device.end(), {"one", "two"});
    rows.values.push_back({a[i], 7});                  // b is constant
    rows.values.push_back({1000 + 50 * a[i], k_nan});  // b is missing
    rows.target.push_back(y[i]);
    rows.target.push_back(-10 * y[i]);
  }
  const auto made = predict_own(own_model(), rows);
  ASSERT_TRUE(made.ok());
  for (std::size_t i = 0; i < 4; ++i) {
    const double own = a[i] / std::sqrt(0.5);
    EXPECT_NEAR(made.value()[2 * i], 4 + std::sqrt(2.0) * 0.5 * own, 1e-12);
    EXPECT_NEAR(made.value()[2 * i + 1], -40 + 10 * std::sqrt(2.0) * 0.5 * own, 1e-12);
  }
  rows.target.clear();
  EXPECT_NEAR(predict_own(own_model(), rows).value()[0], -0.5 / std::sqrt(0.5), 1e-12);
}

TEST(OwnUnits, an_outlier_is_clipped_at_four_deviations) {
  OwnRows rows;
  for (int i = 0; i < 100; ++i) {
    rows.device.emplace_back("one");
    rows.values.push_back({i == 0 ? 1e6 : i % 2, 0});
  }
  EXPECT_NEAR(predict_own(own_model(), rows).value()[0], 0.5 * 4, 1e-12);
}

TEST(OwnUnits, a_device_with_too_few_rows_is_named) {
  OwnRows rows{{"one", "one", "one", "two"}, {{1, 1}, {2, 2}, {3, 3}, {4, 4}}, {}};
  EXPECT_EQ(predict_own(own_model(), rows).error().value, "two");
  rows.device.back() = "one";
  EXPECT_TRUE(predict_own(own_model(), rows).ok());
  rows.target = {1, 2, k_nan, k_nan};
  EXPECT_EQ(predict_own(own_model(), rows).error().code, "predict.few_rows");
}

TEST(RowsTable, a_column_in_which_nothing_is_known_is_left_out) {
  html::RowsTable table({"name", "#one", "#two"});
  table.row({html::escape("a"), html::escape("1"), {}});
  table.row({html::escape("b"), {}, {}});
  const std::string text = table.html("t").text();
  EXPECT_NE(text.find(">one<"), std::string::npos);
  EXPECT_EQ(text.find("two"), std::string::npos);
  EXPECT_NE(text.find("<td data-name=\"one\" class=\"n\">&ndash;</td>"), std::string::npos);
}

}  // namespace
}  // namespace sotto::analyzer
