// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "run_kit.hpp"

// One bit of run.sqlite is another one: the run is refused by name, or everything that it tells is as it was.
namespace sotto::analyzer {
namespace {

namespace fs = std::filesystem;

/// Everything that a store tells.
struct Told {
  Bytes manifest;
  std::string settings, model;
  std::vector<std::pair<Bytes, bool>> rounds;
  std::vector<Bytes> batches;
  std::vector<ReasonCounts> counts;
  std::vector<Reading> readings;
  Bytes aggregate;
  friend bool operator==(const Told&, const Told&) = default;
};

class Flips : public testing::Test {
 protected:
  void SetUp() override {
    auto store = kit.create(path);
    ASSERT_TRUE(store->add_round(kit.kit.round_with(2, k_every_cohort)).ok());
    auto collector = RunKit::resume(*store);
    for (std::size_t b = 0; b < kit.batches.size(); ++b)
      ASSERT_TRUE(store->add_batch(*collector, b == 0 ? 1 : 2, b, kit.batches[b]).ok());
    collector.reset();  // it holds the index, and the last one to go copies the log into the database
    ASSERT_TRUE(store->close_round(1, Bytes(300, 7)).ok());
    ASSERT_TRUE(store->put_model("{\"a\": 1}").ok());
    ASSERT_TRUE(store->put_model("{\"a\": 2}").ok());
    store.reset();
    std::ifstream in(path, std::ios::binary);
    whole.assign(std::istreambuf_iterator<char>(in), {});
  }

  /// The store with these bytes, read through; nothing when it is refused, which must be by a name that scripts can know.
  std::optional<Told> told(const std::string& bytes) {
    for (const char* beside : {"-wal", "-shm", "-journal"}) fs::remove(path.string() + beside);
    { std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes; }
    const auto refused = [](const Error& error) {
      EXPECT_TRUE(error.code.starts_with("store.") || error.code.starts_with("io.")) << error.message();
      return std::nullopt;
    };
    const auto opened = RunStore::open(path);
    if (!opened) return refused(opened.error());
    const RunStore& store = *opened.value();
    if (const auto checked = store.check(); !checked) return refused(checked.error());
    Told out{store.manifest(), store.settings(), store.model().value(), {}, {}, {}, {}, store.aggregate(1).value()};
    for (const StoredRound& round : store.rounds().value()) {
      out.rounds.emplace_back(round.bytes, round.is_closed);
      out.counts.push_back(store.counts(round.number).value());
      EXPECT_TRUE(store
                      .each_batch(round.number,
                                  [&](std::uint64_t, std::span<const std::uint8_t> batch) {
                                    out.batches.emplace_back(batch.begin(), batch.end());
                                  })
                      .ok());
      EXPECT_TRUE(store.each_reading(round.number, [&](const Reading& r) { out.readings.push_back(r); }).ok());
    }
    out.counts.push_back(store.counts().value());
    return out;
  }

  TemporaryDirectory directory;
  const fs::path path = directory / "run.sqlite";
  const RunKit kit{3, 12};
  std::string whole;
};

TEST_F(Flips, are_refused_or_harmless) {
#ifdef SOTTO_EVERY_BIT
  constexpr std::size_t k_stride = 1;
#else
  constexpr std::size_t k_stride = 79;  // prime: all places in a byte and a page come up
#endif
  const std::optional<Told> expected = told(whole);
  ASSERT_TRUE(expected);
  ASSERT_GT(expected->readings.size(), 10u);
  std::size_t tried = 0, refused = 0;
  for (std::size_t bit = 0; bit < 8 * whole.size(); bit += k_stride, ++tried) {
    std::string flipped = whole;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ 1 << bit % 8);
    const std::optional<Told> found = told(flipped);
    refused += !found;
    ASSERT_TRUE(!found || *found == *expected) << "bit " << bit;
  }
  // About a third of the pages is in use; what is not may be anything.
  EXPECT_GT(refused, tried / 10);
  RecordProperty("tried", static_cast<int>(tried));
  RecordProperty("refused", static_cast<int>(refused));
}

// SQLite drops a log from its first changed bit on. So nothing that was told may stand in a log, whoever has the run open.
TEST_F(Flips, NothingThatWasToldStandsInTheLog) {
  for (const char* beside : {"-wal", "-shm"}) fs::remove(path.string() + beside);
  fs::remove(path);
  const std::string log = path.string() + "-wal";
  auto store = kit.create(path);
  const auto other = RunStore::open(path).value();  // keeps the log from being removed when the first one closes
  const auto is_settled = [&] { return fs::exists(log) && fs::file_size(log) == 0; };
  EXPECT_TRUE(is_settled());
  auto collector = RunKit::resume(*store);
  for (std::size_t b = 0; b < kit.batches.size(); ++b)
    ASSERT_TRUE(store->add_batch(*collector, 1, b, kit.batches[b]).ok());
  EXPECT_FALSE(is_settled());  // one wait for the disk for each batch, not two
  ASSERT_TRUE(store->settle().ok());
  EXPECT_TRUE(is_settled());
  ASSERT_TRUE(store->close_round(1, Bytes(300, 7)).ok());
  EXPECT_TRUE(is_settled());
  ASSERT_TRUE(store->put_model("{}").ok());
  EXPECT_TRUE(is_settled());
  ASSERT_TRUE(store->add_round(kit.kit.round_with(2, k_every_cohort)).ok());
  EXPECT_TRUE(is_settled());
  ASSERT_TRUE(store->add_batch(*collector, 2, 0, kit.batches[0]).ok());
  EXPECT_FALSE(is_settled());
  collector.reset();
  store.reset();  // closes without a word
  EXPECT_TRUE(is_settled());
}

TEST_F(Flips, WhoeverReadsKeepsTheLogAndIsNamed) {
  const auto store = RunStore::open(path, {std::chrono::milliseconds(20), 0}).value();
  const auto reader = Database::open(path, Database::Mode::existing, {}).value();
  const auto collector = RunKit::resume(*store);
  ASSERT_TRUE(store->add_batch(*collector, 2, 9, kit.batches[0]).ok());
  {
    const auto snapshot = Snapshot::begin(*reader).value();
    ASSERT_TRUE(reader->number("SELECT count(*) FROM batches").ok());
    const auto refused = store->settle();
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, "store.busy");
    EXPECT_EQ(store->put_model("{\"a\": 3}").error().code, "store.busy");
  }
  EXPECT_TRUE(store->settle().ok());
  EXPECT_EQ(fs::file_size(path.string() + "-wal"), 0u);
  EXPECT_EQ(store->model().value(), "{\"a\": 3}");
  EXPECT_TRUE(store->check().ok());
}

// Sums are read without check(): whatever a row says, they are refused by themselves.
TEST_F(Flips, a_changed_row_of_the_index_never_reaches_a_sum) {
  for (const char* change :
       {"UPDATE seen SET number = 1 - number WHERE pseudonym = (SELECT min(pseudonym) FROM seen)",
        "UPDATE seen SET round = 2 WHERE pseudonym = (SELECT min(pseudonym) FROM seen WHERE round = 1)",
        "UPDATE seen SET pseudonym = pseudonym + 1 WHERE pseudonym = (SELECT min(pseudonym) FROM seen)",
        "UPDATE seen SET others = x'0900000009000000' WHERE pseudonym = (SELECT min(pseudonym) FROM seen)",
        "DELETE FROM seen WHERE pseudonym = (SELECT min(pseudonym) FROM seen)",
        "INSERT INTO seen(slot, pseudonym, round, number, others, payload) VALUES(0, 5, 1, 1, x'', x'')",
        "UPDATE batches SET readings = zeroblob(length(readings)) WHERE id = 2",
        "UPDATE batches SET readings = x'', readings_digest = (SELECT readings_digest FROM batches WHERE id = 1)",
        "DELETE FROM fates WHERE batch = 2; DELETE FROM batches WHERE id = 2"}) {
    for (const char* beside : {"-wal", "-shm"}) fs::remove(path.string() + beside);
    { std::ofstream(path, std::ios::binary | std::ios::trunc) << whole; }
    {
      const auto database = Database::open(path, Database::Mode::existing, {});
      const auto ran = database.value()->run(change);
      ASSERT_TRUE(ran.ok()) << ran.error().message();
    }
    const auto store = RunStore::open(path).value();
    const auto read = store->each_reading(1, [](const Reading&) {});
    EXPECT_FALSE(read.ok()) << change;
    EXPECT_EQ(store->check().error().code, "store.damaged") << change;
  }
}

}  // namespace
}  // namespace sotto::analyzer
