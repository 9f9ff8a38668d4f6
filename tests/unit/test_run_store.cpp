// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <gtest/gtest.h>

#include <fstream>

#include "run_kit.hpp"
#include "sotto/analyzer/store/run_settings.hpp"

namespace sotto::analyzer {
namespace {

class Store : public testing::Test {
 protected:
  std::unique_ptr<RunStore> reopened() { return RunStore::open(path).value(); }
  /// Everything again, as a program does that was stopped.
  void add_all(RunStore& store, Collector& collector) {
    for (std::size_t b = 0; b < kit.batches.size(); ++b)
      ASSERT_TRUE(store.add_batch(collector, 1, b, kit.batches[b]).ok()) << b;
  }
  void sql(const std::string& text) {
    const auto database = Database::open(path, Database::Mode::existing, {});
    ASSERT_TRUE(database.ok());
    const auto ran = database.value()->run(text);
    ASSERT_TRUE(ran.ok()) << ran.error().message();
  }

  TemporaryDirectory directory;
  std::filesystem::path path = directory / "run.sqlite";
  RunKit kit{6};
};

TEST_F(Store, keeps_manifest_and_settings) {
  { const auto store = kit.create(path); }
  const auto store = reopened();
  EXPECT_EQ(store->manifest(), kit.kit.compiled.manifest);
  EXPECT_EQ(store->settings(), R"({"seed": 1})");
  EXPECT_TRUE(store->check().ok());
}

TEST_F(Store, is_created_once_and_opened_only_where_one_is) {
  EXPECT_EQ(RunStore::open(path).error().code, "io.cannot_read");
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_EQ(RunStore::create(path, Bytes{1, 2, 3}, "{}").error().code, "wire.truncated");
  EXPECT_FALSE(std::filesystem::exists(path));
  { const auto store = kit.create(path); }
  EXPECT_EQ(RunStore::create(path, kit.kit.compiled.manifest, "{}").error().code, "store.exists");
  const auto nowhere = RunStore::create(directory / "absent" / "run.sqlite", kit.kit.compiled.manifest, "{}");
  EXPECT_EQ(nowhere.error().code, "io.cannot_write");
  EXPECT_NE(nowhere.error().value.find("absent"), std::string::npos);
}

TEST_F(Store, an_empty_file_is_unfinished_and_can_be_created) {
  std::ofstream(path).close();
  EXPECT_EQ(RunStore::open(path).error().code, "store.unfinished");
  EXPECT_TRUE(RunStore::create(path, kit.kit.compiled.manifest, "{}").ok());
  EXPECT_TRUE(RunStore::open(path).ok());
}

TEST_F(Store, strangers_files_and_other_versions_are_refused_and_left_alone) {
  { std::ofstream(path) << std::string(5000, 'x'); }
  EXPECT_EQ(RunStore::open(path).error().code, "store.damaged");
  EXPECT_EQ(RunStore::create(path, kit.kit.compiled.manifest, "{}").error().code, "store.damaged");
  EXPECT_EQ(std::filesystem::file_size(path), 5000u);

  const std::filesystem::path other = directory / "other.sqlite";
  {
    const auto database = Database::open(other, Database::Mode::create, {});
    ASSERT_TRUE(database.value()->run("CREATE TABLE birds(name)").ok());
  }
  const auto size = std::filesystem::file_size(other);
  EXPECT_EQ(RunStore::open(other).error().code, "store.not_a_run");
  EXPECT_EQ(RunStore::create(other, kit.kit.compiled.manifest, "{}").error().code, "store.not_a_run");
  EXPECT_EQ(std::filesystem::file_size(other), size);

  std::filesystem::remove(path);
  { const auto store = kit.create(path); }
  sql("PRAGMA user_version = 3");
  const auto older = RunStore::open(path);
  EXPECT_EQ(older.error().code, "store.other_version");
  EXPECT_EQ(older.error().value, "3");
}

TEST_F(Store, a_round_is_stored_once_under_its_number) {
  const auto store = kit.create(path);
  EXPECT_TRUE(store->add_round(kit.kit.round_bytes).ok());
  EXPECT_EQ(store->add_round(kit.kit.round_with(1, 0)).error().code, "store.other_round");
  EXPECT_TRUE(store->add_round(kit.kit.round_with(300, k_every_cohort)).ok());
  EXPECT_TRUE(store->add_round(kit.kit.round_with(2, k_every_cohort)).ok());
  EXPECT_EQ(store->add_round(Bytes{1, 2}).error().code, "wire.truncated");
  const ReportKit other(vote_study("samples = 99"));
  EXPECT_EQ(store->add_round(other.round_bytes).error().code, "store.foreign_round");
  const auto rounds = reopened()->rounds().value();
  ASSERT_EQ(rounds.size(), 3u);
  EXPECT_EQ(rounds[0].number, 1);
  EXPECT_EQ(rounds[1].number, 2);
  EXPECT_EQ(rounds[2].number, 300);
  EXPECT_EQ(rounds[0].bytes, kit.kit.round_bytes);
  EXPECT_FALSE(rounds[0].is_closed);
}

TEST_F(Store, batches_give_what_a_collector_in_memory_gives_and_survive_reopening) {
  const Shown expected = kit.expected(kit.batches.size());
  ASSERT_GT(expected.counts[Reason::conflict], 20u);
  ASSERT_GT(expected.counts[Reason::duplicate], 20u);
  {
    const auto store = kit.create(path);
    const auto collector = RunKit::resume(*store);
    add_all(*store, *collector);
    EXPECT_EQ(shown(*store), expected);
    EXPECT_EQ(shown(*collector), expected);
  }
  const auto store = reopened();
  EXPECT_EQ(shown(*store), expected);
  EXPECT_EQ(kit.prefix(*store), static_cast<std::ptrdiff_t>(kit.batches.size()));
  EXPECT_TRUE(store->check().ok());
}

TEST_F(Store, a_stored_batch_is_skipped_and_says_so) {
  const auto store = kit.create(path);
  const auto collector = RunKit::resume(*store);
  EXPECT_FALSE(store->has_batch(1, 0));
  const auto first = store->add_batch(*collector, 1, 0, kit.batches[0]);
  ASSERT_TRUE(first.ok());
  EXPECT_FALSE(first.value().skipped);
  EXPECT_TRUE(store->has_batch(1, 0));
  EXPECT_FALSE(store->has_batch(1, 1));
  EXPECT_FALSE(store->has_batch(2, 0));
  const Shown before = shown(*collector);
  const auto again = store->add_batch(*collector, 1, 0, kit.batches[0]);
  ASSERT_TRUE(again.ok());
  EXPECT_TRUE(again.value().skipped);
  EXPECT_EQ(again.value().of, first.value().of);
  EXPECT_EQ(shown(*collector), before);
  EXPECT_EQ(store->add_batch(*collector, 1, 0, kit.batches[1]).error().code, "store.other_batch");
  EXPECT_EQ(shown(*collector), before);
}

TEST_F(Store, numbers_of_batches_are_unsigned_and_come_in_order) {
  const auto store = kit.create(path);
  const auto collector = RunKit::resume(*store);
  const std::vector<std::uint64_t> numbers = {~std::uint64_t{0}, 3, std::uint64_t{1} << 63, 0};
  for (const std::uint64_t n : numbers) ASSERT_TRUE(store->add_batch(*collector, 1, n, {}).ok());
  std::vector<std::uint64_t> seen;
  ASSERT_TRUE(store->each_batch(1, [&](std::uint64_t n, std::span<const std::uint8_t>) { seen.push_back(n); }).ok());
  EXPECT_EQ(seen, (std::vector<std::uint64_t>{0, 3, std::uint64_t{1} << 63, ~std::uint64_t{0}}));
}

TEST_F(Store, every_round_has_its_own_counts_and_next_number) {
  const auto store = kit.create(path);
  ASSERT_TRUE(store->add_round(kit.kit.round_with(2, k_every_cohort)).ok());
  const auto collector = RunKit::resume(*store);
  EXPECT_EQ(store->next_batch(1).value(), 0u);
  EXPECT_EQ(store->counts(1).value().total(), 0u);
  add_all(*store, *collector);
  const ReasonCounts first = store->counts().value();
  EXPECT_EQ(store->next_batch(1).value(), kit.batches.size());
  EXPECT_EQ(store->next_batch(2).value(), 0u);
  // The same reports again, while round 2 is the open one.
  ASSERT_TRUE(store->add_batch(*collector, 2, 41, kit.batches[0]).ok());
  EXPECT_EQ(store->next_batch(2).value(), 42u);
  EXPECT_EQ(store->counts(1).value(), first);
  const ReasonCounts second = store->counts(2).value();
  EXPECT_EQ(second.total(), 101u);
  EXPECT_EQ(second[Reason::accepted], 0u);
  EXPECT_EQ(store->counts().value().total(), first.total() + 101);
  EXPECT_EQ(store->counts(3).value().total(), 0u);
}

TEST(RunSettings, are_read_as_they_were_written) {
  const RunSettings settings{"sotto simulate --data \"a b\".csv", true};
  const auto read = read_settings(settings_text(settings));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read.value().command, settings.command);
  EXPECT_TRUE(read.value().simulated);
  for (const char* bad : {"", "[]", "{}", "{\"command\": 1, \"simulated\": true}", "{\"command\": \"\"}"})
    EXPECT_EQ(read_settings(bad).error().code, "store.damaged") << bad;
}

TEST_F(Store, sealed_reports_are_opened_before_they_count) {
  const ReportKit sealed;
  const auto store = RunStore::create(path, sealed.compiled.manifest, "{}").value();
  ASSERT_TRUE(store->add_round(sealed.round_bytes).ok());
  const auto collector = RunKit::resume(*store, test_master());
  Bytes batch;
  append_report(batch, sealed.pack(5, 3));
  append_report(batch, sealed.pack(sealed.header(6), {3}, test_master(8)));
  const auto added = store->add_batch(*collector, 1, 0, batch);
  ASSERT_TRUE(added.ok());
  EXPECT_EQ(added.value()[Reason::accepted], 1u);
  EXPECT_EQ(added.value()[Reason::forged], 1u);
}

TEST_F(Store, a_closed_round_keeps_its_aggregate_and_takes_no_batch) {
  const auto store = kit.create(path);
  const auto collector = RunKit::resume(*store);
  ASSERT_TRUE(store->add_batch(*collector, 1, 0, kit.batches[0]).ok());
  EXPECT_EQ(store->aggregate(1).error().code, "store.round_open");
  EXPECT_EQ(store->aggregate(2).error().code, "store.no_round");
  EXPECT_EQ(store->close_round(2, Bytes{1}).error().code, "store.no_round");
  ASSERT_TRUE(store->close_round(1, Bytes{1, 2, 3}).ok());
  EXPECT_TRUE(store->close_round(1, Bytes{1, 2, 3}).ok());
  EXPECT_EQ(store->close_round(1, Bytes{1, 2}).error().code, "store.round_closed");
  const Shown before = shown(*collector);
  EXPECT_EQ(store->add_batch(*collector, 1, 1, kit.batches[1]).error().code, "store.round_closed");
  EXPECT_EQ(store->add_batch(*collector, 2, 0, kit.batches[1]).error().code, "store.no_round");
  EXPECT_EQ(shown(*collector), before);
  EXPECT_TRUE(store->add_batch(*collector, 1, 0, kit.batches[0]).value().skipped);  // who resumes brings it again
  const auto again = reopened();
  EXPECT_EQ(again->aggregate(1).value(), (Bytes{1, 2, 3}));
  EXPECT_TRUE(again->rounds().value()[0].is_closed);
  EXPECT_TRUE(again->check().ok());
}

TEST_F(Store, a_model_is_replaced) {
  const auto store = kit.create(path);
  EXPECT_EQ(store->model().error().code, "store.no_model");
  ASSERT_TRUE(store->put_model("{\"a\": 1}").ok());
  ASSERT_TRUE(store->put_model("{\"a\": 2}").ok());
  EXPECT_EQ(reopened()->model().value(), "{\"a\": 2}");
}

TEST_F(Store, only_the_collector_of_this_run_adds_batches) {
  const auto store = kit.create(path);
  const auto in_memory = kit.kit.collector();
  EXPECT_EQ(store->add_batch(*in_memory, 1, 0, kit.batches[0]).error().code, "store.other_index");
  EXPECT_EQ(in_memory->counts().total(), 0u);
  const auto foreign = ReportKit(vote_study("samples = 99")).collector();
  EXPECT_EQ(store->add_batch(*foreign, 1, 0, kit.batches[0]).error().code, "store.other_study");
  const auto collector = RunKit::resume(*store);
  EXPECT_EQ(store->add_batch(*collector, 1, 0, Bytes(k_batch_max_bytes + 1)).error().code, "store.batch_size");
  EXPECT_FALSE(store->has_batch(1, 0));
  EXPECT_EQ(store->counts().value().total(), 0u);
}

/// Requests of a server: each has its own counts, and together they are what the batches give one by one.
TEST_F(Store, a_group_of_requests_gives_what_its_batches_give) {
  const Shown expected = kit.expected(kit.batches.size());
  {
    const auto store = kit.create(path);
    const auto collector = RunKit::resume(*store);
    const std::vector<std::span<const std::uint8_t>> requests(kit.batches.begin(), kit.batches.end());
    const auto each = store->add_group(*collector, 1, requests);
    ASSERT_TRUE(each.ok()) << each.error().message();
    ASSERT_EQ(each.value().size(), requests.size());
    const auto alone = kit.kit.collector();
    for (std::size_t i = 0; i < requests.size(); ++i) EXPECT_EQ(each.value()[i], alone->absorb_batch(requests[i])) << i;
    EXPECT_EQ(shown(*store), expected);
    EXPECT_EQ(shown(*collector), expected);
    EXPECT_GT(store->index_bytes(), 0u);
  }
  const auto store = reopened();
  EXPECT_EQ(shown(*store), expected);
  EXPECT_TRUE(store->check().ok());
}

TEST_F(Store, refusals_alone_are_counted_and_stored_later) {
  const auto store = kit.create(path);
  const auto collector = RunKit::resume(*store);
  const Bytes garbage = {1, 0, 9, 5, 0, 1};  // a report of one byte, and one that is cut off
  const std::span<const std::uint8_t> request(garbage);
  const auto each = store->add_group(*collector, 1, {&request, 1});
  ASSERT_TRUE(each.ok());
  EXPECT_EQ(each.value()[0].total(), 2u);
  EXPECT_EQ(each.value()[0][Reason::accepted], 0u);
  EXPECT_EQ(store->next_batch(1).value(), 0u);
  ASSERT_TRUE(store->keep_refusals(1).ok());
  EXPECT_EQ(store->counts().value().total(), 2u);
  ASSERT_TRUE(store->keep_refusals(1).ok());
  EXPECT_EQ(store->counts().value(), collector->counts());
  EXPECT_TRUE(store->check().ok());
}

TEST_F(Store, a_forgotten_pseudonym_leaves_nothing_behind) {
  const auto store = kit.create(path);
  const auto collector = RunKit::resume(*store);
  add_all(*store, *collector);
  const Shown before = shown(*store);
  const std::uint64_t gone = before.readings[7].pseudonym;
  ASSERT_TRUE(store->forget(gone).ok());
  Shown after = shown(*store);
  EXPECT_EQ(after.counts[Reason::accepted], before.counts[Reason::accepted] - 1);
  ASSERT_EQ(after.readings.size(), before.readings.size() - 1);
  for (const Reading& reading : after.readings) EXPECT_NE(reading.pseudonym, gone);
  EXPECT_EQ(store->forget(gone).error().code, "store.no_pseudonym");
  // Names that contradicted themselves go too; nothing of them counted.
  for (std::uint64_t i = 1; i <= 600; ++i) {
    const auto forgotten = store->forget(0x9e3779b97f4a7c15u * i);
    EXPECT_TRUE(forgotten.ok() || forgotten.error().code == "store.no_pseudonym") << forgotten.error().message();
  }
  EXPECT_EQ(shown(*store).counts[Reason::accepted], 0u);
  EXPECT_TRUE(store->check().ok());
  EXPECT_EQ(shown(*reopened()), shown(*store));
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::uint8_t name[8];
  for (std::size_t i = 0; i < 8; ++i) name[i] = static_cast<std::uint8_t>(gone >> 8 * i);
  EXPECT_EQ(bytes.find(std::string(std::begin(name), std::end(name))), std::string::npos);
}

TEST_F(Store, a_closed_round_keeps_its_readings) {
  const auto store = kit.create(path);
  const auto collector = RunKit::resume(*store);
  const auto put = [&](std::uint16_t round, std::uint64_t number, const Bytes& report) {
    Bytes batch;
    append_report(batch, report);
    return store->add_batch(*collector, round, number, batch).value();
  };
  EXPECT_EQ(put(1, 0, kit.kit.pack(5, 1))[Reason::accepted], 1u);
  ASSERT_TRUE(store->close_round(1, Bytes{1}).ok());
  collector->close_round(1);
  ASSERT_TRUE(store->add_round(kit.kit.round_with(2, k_every_cohort)).ok());
  ASSERT_TRUE(collector->open_round(kit.kit.round_with(2, k_every_cohort)).ok());
  ReportHeader later = kit.kit.header(5);
  later.round = 2;
  EXPECT_EQ(put(2, 0, kit.kit.pack(later, {0}))[Reason::conflict], 1u);
  EXPECT_EQ(store->counts().value()[Reason::accepted], 1u);
  EXPECT_EQ(collector->counts(), store->counts().value());
  EXPECT_EQ(shown(*reopened()).readings.size(), 1u);
  EXPECT_EQ(store->forget(5).error().code, "store.round_closed");
  EXPECT_TRUE(store->check().ok());
}

TEST_F(Store, changed_bytes_and_counts_are_found) {
  {
    const auto store = kit.create(path);
    const auto collector = RunKit::resume(*store);
    add_all(*store, *collector);
  }
  sql("UPDATE batches SET bytes = zeroblob(length(bytes)) WHERE id = 3");
  {
    const auto store = reopened();
    EXPECT_EQ(kit.prefix(*store), -1);
    EXPECT_EQ(store->check().error().code, "store.damaged");
  }
  sql("DELETE FROM fates WHERE batch = 3; DELETE FROM batches WHERE id = 3");
  EXPECT_EQ(reopened()->check().error().code, "store.damaged");
  sql("UPDATE pieces SET bytes = x'00' WHERE name = 'manifest'");
  EXPECT_EQ(RunStore::open(path).error().code, "store.damaged");
}

}  // namespace
}  // namespace sotto::analyzer
