// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "sotto/analyzer/serve/desk.hpp"
#include "temporary_directory.hpp"

// What a collection knows beside its reports. One bit of its file is another one: it is refused by name, or it tells what
// it told before; a token that was used stays used.
namespace sotto::analyzer {
namespace {

namespace fs = std::filesystem;

std::vector<std::tuple<std::int64_t, std::string, std::uint16_t, std::int64_t>> told(const Desk& desk) {
  std::vector<std::tuple<std::int64_t, std::string, std::uint16_t, std::int64_t>> events;
  const auto read = desk.events();
  EXPECT_TRUE(read.ok());
  if (!read) return events;
  for (const DeskEvent& event : read.value()) events.emplace_back(event.at, event.what, event.round, event.until);
  return events;
}

class DeskFile : public testing::Test {
 protected:
  void SetUp() override {
    auto desk = Desk::open(path).value();
    ASSERT_TRUE(desk->add({1700000000, "opened", 1, 1700003600}).ok());
    ASSERT_TRUE(desk->add({1700000100, "abandoned", 1, 0}).ok());
    tokens = desk->draw_tokens(3).value();
    ASSERT_TRUE(desk->enroll(tokens[0]).ok());
    desk.reset();
    std::ifstream in(path, std::ios::binary);
    whole.assign(std::istreambuf_iterator<char>(in), {});
  }

  void write(const std::string& bytes) {
    for (const char* beside : {"-wal", "-shm", "-journal"}) fs::remove(path.string() + beside);
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
  }

  TemporaryDirectory directory;
  const fs::path path = directory / "collection.sqlite";
  std::vector<std::string> tokens;
  std::string whole;
};

TEST_F(DeskFile, a_changed_bit_is_refused_or_harmless) {
  const auto expected = told(*Desk::open(path).value());
  ASSERT_EQ(expected.size(), 2u);
  std::size_t tried = 0, refused = 0;
  for (std::size_t bit = 0; bit < 8 * whole.size(); bit += 211, ++tried) {
    std::string flipped = whole;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ 1 << bit % 8);
    write(flipped);
    const auto desk = Desk::open(path);
    if (!desk) {
      EXPECT_TRUE(desk.error().code.starts_with("store.") || desk.error().code.starts_with("io."))
          << desk.error().message();
      ++refused;
      continue;
    }
    EXPECT_EQ(told(*desk.value()), expected) << "bit " << bit;
    EXPECT_FALSE(desk.value()->enroll(tokens[0]).ok()) << "bit " << bit;
  }
  EXPECT_GT(refused, tried / 40);
}

TEST_F(DeskFile, a_changed_row_is_refused) {
  for (const char* change :
       {"UPDATE tokens SET used = 0", "UPDATE events SET what = 'cbandoned' WHERE id = 2",
        "DELETE FROM events WHERE id = 2", "DELETE FROM issued", "DELETE FROM tokens WHERE used = 1",
        "INSERT INTO issued(pseudonym) VALUES(5)", "DELETE FROM seals"}) {
    write(whole);
    ASSERT_TRUE(Database::open(path, Database::Mode::existing, {}).value()->run(change).ok());
    const auto desk = Desk::open(path);
    ASSERT_FALSE(desk.ok()) << change;
    EXPECT_EQ(desk.error().code, "store.damaged") << change;
  }
}

TEST_F(DeskFile, acts_of_two_processes_keep_the_seals_right) {
  {
    auto server = Desk::open(path).value();
    auto operator_desk = Desk::open(path).value();
    const auto more = operator_desk->draw_tokens(2).value();
    EXPECT_TRUE(server->enroll(more[0]).ok());
    EXPECT_TRUE(server->enroll(tokens[1]).ok());
    EXPECT_TRUE(operator_desk->add({1700000200, "extended", 1, 1}).ok());
  }
  const auto desk = Desk::open(path);
  ASSERT_TRUE(desk.ok()) << desk.error().message();
  EXPECT_EQ(told(*desk.value()).size(), 3u);
  EXPECT_EQ(desk.value()->enroll(tokens[1]).error().code, "enroll.used_token");
  EXPECT_TRUE(desk.value()->enroll(tokens[2]).ok());
}

}  // namespace
}  // namespace sotto::analyzer
