// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Tables of many users: what is read, and what is refused with which words.
#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "sotto/analyzer/data/table.hpp"

namespace sotto::analyzer {
namespace {

namespace fs = std::filesystem;

class TableFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("sotto_table_" + std::to_string(std::rand()) +
                                           testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path write(const std::string& bytes, const std::string& name = "t.csv") const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }

  Result<Table> read(const std::string& bytes, const TableColumns& columns = {"user", "y"}) const {
    return read_table(write(bytes), columns);
  }

  void expect_refused(const std::string& bytes, std::string_view code, std::string_view part,
                      const TableColumns& columns = {"user", "y"}) const {
    const auto table = read(bytes, columns);
    ASSERT_FALSE(table.ok()) << code;
    EXPECT_EQ(table.error().code, code);
    EXPECT_NE(table.error().message().find(part), std::string::npos) << table.error().message();
    EXPECT_NE(table.error().message().find("t.csv"), std::string::npos) << table.error().message();
  }

  fs::path folder_;
};

std::string gzip(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

const std::string k_small =
    "user,y,meta_place,a,b\n"
    "tom,1,north,10,0.5\n"
    "ann,2,south,20,-1e-3\n"
    "tom,3,,30,+7\n"
    "ann,4,x,40, 8 \n";

void expect_small(const Result<Table>& read) {
  ASSERT_TRUE(read.ok()) << read.error().message();
  const Table& table = read.value();
  EXPECT_EQ(table.features, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(table.users, (std::vector<std::string>{"tom", "ann"}));
  EXPECT_EQ(table.first_row, (std::vector<std::uint64_t>{0, 2, 4}));
  EXPECT_EQ(table.y, (std::vector<float>{1, 3, 2, 4}));
  EXPECT_EQ(table.x, (std::vector<float>{10, 0.5f, 30, 7, 20, -1e-3f, 40, 8}));
}

TEST_F(TableFile, groups_the_rows_of_a_user_in_the_order_of_the_file) { expect_small(read(k_small)); }

TEST_F(TableFile, gzip_is_recognised_by_its_bytes_not_by_its_name) {
  expect_small(read_table(write(gzip(k_small), "t.csv"), {"user", "y"}));
  expect_small(read_table(write(k_small, "t.csv.gz"), {"user", "y"}));
}

TEST_F(TableFile, gzip_members_are_read_one_behind_the_other) {
  expect_small(read_table(write(gzip(k_small.substr(0, 33)) + gzip(k_small.substr(33))), {"user", "y"}));
}

TEST_F(TableFile, a_torn_or_damaged_gzip_is_refused) {
  std::string bytes = gzip(k_small);
  expect_refused(bytes.substr(0, bytes.size() - 9), "io.damaged_gzip", "ends too early");
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x55);
  expect_refused(bytes, "io.damaged_gzip", "is damaged");
}

TEST_F(TableFile, carriage_returns_byte_order_mark_blank_lines_and_no_last_line_feed_are_no_matter) {
  std::string windows = "\xef\xbb\xbf";
  for (const char c : k_small) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  expect_small(read(windows));
  expect_small(read("\n" + k_small + "\n\r\n"));
  expect_small(read(k_small.substr(0, k_small.size() - 1)));
}

TEST_F(TableFile, quoted_fields_may_hold_commas_quotes_and_line_feeds) {
  const auto read_back = read("\"user\",y,\"a \"\"b\"\", c\"\n\"x,\n\"\"1\"\"\",1,\"2\"\nz,\"3\",4\n");
  ASSERT_TRUE(read_back.ok()) << read_back.error().message();
  EXPECT_EQ(read_back.value().features, std::vector<std::string>{"a \"b\", c"});
  EXPECT_EQ(read_back.value().users, (std::vector<std::string>{"x,\n\"1\"", "z"}));
  EXPECT_EQ(read_back.value().x, (std::vector<float>{2, 4}));
  EXPECT_EQ(read_back.value().y, (std::vector<float>{1, 3}));
}

TEST_F(TableFile, lines_are_counted_in_the_file_whatever_the_records_hold) {
  expect_refused("user,y,a\n\"p\nq\",1,2\n\nr,1,oops\n", "data.not_a_number", "t.csv:5: a is not a number (oops)");
}

TEST_F(TableFile, without_a_user_column_every_row_is_a_user) {
  const auto table = read("y,a\n1,2\n3,4\n5,6\n", {"", "y"});
  ASSERT_TRUE(table.ok()) << table.error().message();
  EXPECT_EQ(table.value().users, (std::vector<std::string>{"1", "2", "3"}));
  EXPECT_EQ(table.value().first_row, (std::vector<std::uint64_t>{0, 1, 2, 3}));
}

TEST_F(TableFile, a_meta_column_can_be_the_user_or_the_target) {
  const auto table = read("meta_u,meta_t,meta_v,a\n1,2,3,4\n5,6,7,8\n", {"meta_u", "meta_t"});
  ASSERT_TRUE(table.ok()) << table.error().message();
  EXPECT_EQ(table.value().features, std::vector<std::string>{"a"});
  EXPECT_EQ(table.value().y, (std::vector<float>{2, 6}));
}

TEST_F(TableFile, a_record_longer_than_a_piece_of_the_file_is_read_whole) {
  std::string header = "user,y", one = "u,1", two = "v,2";
  for (int i = 0; i < 65535; ++i) {
    header += ",f" + std::to_string(i);
    one += "," + std::to_string(i) + ".125";
    two += ",-" + std::to_string(i);
  }
  const auto table = read(header + "\n" + one + "\n" + two + "\n");
  ASSERT_TRUE(table.ok()) << table.error().message();
  ASSERT_EQ(table.value().features.size(), 65535u);
  for (std::size_t i = 0; i < 65535; ++i) {
    ASSERT_EQ(table.value().row(0)[i], static_cast<float>(i) + 0.125f);
    ASSERT_EQ(table.value().row(1)[i], -static_cast<float>(i));
  }
  expect_refused(header + ",more\n" + one + ",0\n" + two + ",0\n", "data.too_many_features", "65536");
}

TEST_F(TableFile, numbers_are_read_to_the_nearest_float) {
  const std::vector<std::string> words = {"0.1",   "-0.3",      "16777217",   "9999999",  "1234567",   "0.000001", ".5",
                                          "5.",    "1e-3",      "-1.5E+10",   "3.4e38",   "0.0627",    "123.4567", "-0",
                                          "1e-60", "0.3333333", "8.589973e9", "99999.99", "0.1234567", "12345.678"};
  std::string text = "user,y,a\n";
  for (const auto& word : words) text += word + ",0," + word + "\n";
  const auto table = read(text);
  ASSERT_TRUE(table.ok()) << table.error().message();
  for (std::size_t i = 0; i < words.size(); ++i)
    EXPECT_EQ(table.value().x[i], std::strtof(words[i].c_str(), nullptr)) << words[i];
}

TEST_F(TableFile, what_is_no_number_is_refused_with_its_line_and_column) {
  const std::string top = "user,y,a\nu,1,2\n";
  for (const std::string word : {"x", "1x", "1.2.3", ".", "-", "+-1", "1 2", "--1", "0x10"}) {
    expect_refused(top + "v,1," + word + "\n", "data.not_a_number", "t.csv:3: a is not a number (" + word + ")");
  }
  expect_refused(top + "v,1,\n", "data.not_a_number", "t.csv:3: a is missing");
  for (const std::string word : {"nan", "inf", "-Infinity", "1e39", "-1e999"}) {
    expect_refused(top + "v," + word + ",3\n", "data.not_finite", "t.csv:3: y is not a finite number");
  }
}

TEST_F(TableFile, what_is_no_table_is_refused) {
  expect_refused("", "data.empty_file", "is empty");
  expect_refused("\n\n", "data.empty_file", "is empty");
  expect_refused("user,y,a\n", "data.no_rows", "no rows");
  expect_refused("user,y,a\nu,1,2\nv,1\n", "data.ragged_row", "t.csv:3: the header has 3 fields, this line 2");
  expect_refused("user,y,a\nu,1,2,3\n", "data.ragged_row", "t.csv:2: the header has 3 fields, this line 4");
  expect_refused("user,target,a\n", "data.unknown_column", "the columns are: user, target, a");
  expect_refused("user,price,a\n", "data.unknown_column", "did you mean price?", {"user", "prise"});
  expect_refused("usr,y,a\n", "data.unknown_column", "did you mean usr?");
  expect_refused("user,y,a,b,a\n", "data.duplicate_column", "(a)");
  expect_refused("user,y,meta_a\n", "data.no_features", "t.csv:1");
  expect_refused("user,y,a\n", "data.same_column", "(y)", {"y", "y"});
  expect_refused("user,y,a\nu,1,2\nu,3,4\n", "data.one_user", "(u)");
  expect_refused("user,y,a\nu,1,2\n", "data.unknown_column", "there is no column that is left out (b)",
                 {"user", "y", {"b"}});
  expect_refused("user,y,a\nu,1,2\n", "data.same_column", "(y)", {"user", "y", {"a", "y"}});
  expect_refused("user,y,a\nu,1,\"2\nv,1,2\n", "data.open_quote", "t.csv:2");
  expect_refused("user,y,a\nu\"v,1,\"2\n", "data.open_quote", "t.csv:2");
  expect_refused("user,y,a\n\"u\"v,1,2\n", "data.stray_quote", "t.csv:2: field 1");
}

TEST_F(TableFile, a_file_that_cannot_be_read_is_named) {
  const auto missing = read_table(folder_ / "none.csv", {"user", "y"});
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, "io.cannot_read");
  EXPECT_NE(missing.error().message().find("none.csv"), std::string::npos);
  const auto directory = read_table(folder_, {"user", "y"});
  ASSERT_FALSE(directory.ok());
  EXPECT_EQ(directory.error().code, "io.cannot_read");
}

TEST(RealTables, have_the_sizes_of_their_descriptions) {
  const fs::path folder = SOTTO_DATA_DIR;
  if (!fs::exists(folder / "beijing_air.csv.gz")) GTEST_SKIP() << "beijing_air is not in " << SOTTO_DATA_DIR;
  const auto table = read_table(folder / "beijing_air.csv.gz", {"user", "y"});
  ASSERT_TRUE(table.ok()) << table.error().message();
  EXPECT_EQ(table.value().rows(), 30000u);
  EXPECT_EQ(table.value().features.size(), 102u);
  EXPECT_EQ(table.value().users.size(), 1500u);
}

}  // namespace
}  // namespace sotto::analyzer
