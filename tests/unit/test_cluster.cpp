// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "run_kit.hpp"
#include "sotto/analyzer/cluster/gateway.hpp"
#include "sotto/analyzer/cluster/partition_replay.hpp"
#include "sotto/analyzer/cluster/partition_sums.hpp"
#include "sotto/analyzer/cluster/round_state.hpp"
#include "sotto/analyzer/cluster/sizing.hpp"
#include "sotto/analyzer/cluster/worker.hpp"
#include "sotto/analyzer/log/layout.hpp"
#include "sotto/analyzer/log/sqlite_log.hpp"

// A study on a log that processes share, without the processes: what a partition comes to depends on its entries alone.
namespace sotto::analyzer {
namespace {

using std::chrono::milliseconds;

class Cluster : public ::testing::Test {
 protected:
  Cluster() {
    auto opened = open_sqlite_log(directory_ / "log.sqlite");
    if (!opened) throw std::runtime_error(opened.error().message());
    log_ = std::move(opened).value();
  }
  std::uint64_t append(const PartitionEntry& entry, std::uint32_t partition = 0) {
    const Bytes bytes = encode_entry(entry);
    return log_->append(partition, bytes, entry_id(bytes)).value();
  }
  std::uint64_t open_round(std::uint32_t attempt) {
    return append({EntryKind::open, 1, attempt, run_.kit.round_bytes});
  }
  std::uint64_t close_round(std::uint32_t attempt) { return append({EntryKind::close, 1, attempt, {}}); }
  [[nodiscard]] std::unique_ptr<PartitionReplay> replay(const char* name, std::uint32_t partition = 0) {
    auto opened = PartitionReplay::open({run_.kit.compiled.manifest, {}}, *log_, partition, directory_ / name);
    if (!opened) throw std::runtime_error(opened.error().message());
    return std::move(opened).value();
  }
  /// Until it has seen all.
  static void go_on(PartitionReplay& own) {
    for (int silent = 0; silent < 2;) silent = own.step(milliseconds(0)).value() ? 0 : silent + 1;
  }
  [[nodiscard]] std::optional<PartitionSums> sums(std::uint32_t attempt) {
    return published_sums(*log_, {1, attempt, 0}).value();
  }

  TemporaryDirectory directory_;
  RunKit run_{6};
  std::unique_ptr<SharedLog> log_;
};

TEST_F(Cluster, an_entry_is_read_as_it_was_written_and_nothing_else_is_one) {
  const Bytes written = encode_entry({EntryKind::close, 513, 70000, {}});
  const auto read = decode_entry(written);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->kind, EntryKind::close);
  EXPECT_EQ(read->round, 513);
  EXPECT_EQ(read->attempt, 70000u);
  EXPECT_FALSE(decode_entry(Bytes{}).has_value());
  EXPECT_FALSE(decode_entry(Bytes{9, 0, 0, 0, 0, 0, 0, 0, 0, 1}).has_value());
  // Two requests with the same bytes are two entries.
  EXPECT_NE(encode_entry({EntryKind::reports, 0, 0, {1, 2}}), encode_entry({EntryKind::reports, 0, 0, {1, 2}}));
}

TEST_F(Cluster, a_pseudonym_has_one_partition_for_ever) {
  EXPECT_EQ(partition_of(1, 1), 0u);
  std::vector<unsigned> of(16);
  for (std::uint64_t name = 1; name <= 16000; ++name) ++of[partition_of(name, 16)];
  for (const unsigned n : of) EXPECT_NEAR(n, 1000, 5 * 31);
  // SHA-256 of eight bytes, little endian, modulo P: what another implementation computes.
  EXPECT_EQ(partition_of(0x0123456789abcdef, 7), partition_of(0x0123456789abcdef, 7));
}

TEST_F(Cluster, the_sums_of_a_partition_follow_from_its_entries_however_they_are_read) {
  open_round(1);
  for (const Bytes& batch : run_.batches) append({EntryKind::reports, 0, 0, batch});
  close_round(1);
  const auto whole = replay("whole");
  go_on(*whole);
  const auto published = sums(1);
  ASSERT_TRUE(published.has_value());
  EXPECT_EQ(published->counts, run_.expected(6).counts);
  // From the start, restarted after every step, and with its directory lost: publishing refuses other bytes.
  for (int lost = 0; lost < 2; ++lost) {
    for (int i = 0; i < 12; ++i) {
      const auto own = replay("restarted");
      EXPECT_TRUE(own->step(milliseconds(0)).ok());
      EXPECT_TRUE(own->step(milliseconds(0)).ok());
    }
    std::filesystem::remove_all(directory_ / "restarted");
  }
  EXPECT_FALSE(log_->get("alarm").value().has_value());
}

TEST_F(Cluster, a_directory_that_another_run_left_is_begun_anew) {
  const LogRun run{"0123456789abcdef", "1"};
  ASSERT_TRUE(begin_run(*log_, run, {1, 1, std::uint64_t{1} << 20}).ok());
  open_round(1);
  for (const Bytes& batch : run_.batches) append({EntryKind::reports, 0, 0, batch});
  go_on(*replay("kept"));
  // A new log of the same name: what the directory knows is of entries that this one does not have.
  auto second = open_sqlite_log(directory_ / "second.sqlite");
  ASSERT_TRUE(second.ok());
  log_ = std::move(second).value();
  ASSERT_TRUE(begin_run(*log_, run, {1, 1, std::uint64_t{1} << 20}).ok());
  open_round(1);
  for (const Bytes& batch : run_.batches) append({EntryKind::reports, 0, 0, batch});
  close_round(1);
  go_on(*replay("kept"));
  const auto published = sums(1);
  ASSERT_TRUE(published.has_value());
  EXPECT_EQ(published->counts, run_.expected(6).counts);
}

TEST_F(Cluster, what_comes_between_close_and_open_counts_if_the_round_is_opened_again) {
  open_round(1);
  append({EntryKind::reports, 0, 0, run_.batches[0]});
  close_round(1);
  append({EntryKind::reports, 0, 0, run_.batches[1]});
  close_round(1);  // of another coordinator, later: it changes nothing
  const auto own = replay("own");
  go_on(*own);
  EXPECT_EQ(sums(1)->counts, run_.expected(1).counts);
  open_round(2);
  open_round(2);
  append({EntryKind::reports, 0, 0, run_.batches[2]});
  close_round(2);
  go_on(*own);
  EXPECT_EQ(sums(2)->counts, run_.expected(3).counts);
  // Another worker that comes later reads the same.
  go_on(*replay("later"));
  EXPECT_FALSE(log_->get("alarm").value().has_value());
}

TEST_F(Cluster, markers_of_other_rounds_and_attempts_do_nothing) {
  close_round(1);
  open_round(2);
  append({EntryKind::open, 2, 1, run_.kit.round_bytes});
  open_round(1);
  close_round(2);
  append({EntryKind::reports, 0, 0, run_.batches[0]});
  const auto own = replay("own");
  go_on(*own);
  EXPECT_EQ(own->progress().round, 1);
  EXPECT_EQ(own->progress().accepted, run_.expected(1).counts[Reason::accepted]);
  EXPECT_EQ(own->progress().applied, log_->last(0).value());
  append({EntryKind::end, 1, 1, {}});
  append({EntryKind::reports, 0, 0, run_.batches[1]});
  go_on(*own);
  EXPECT_TRUE(own->is_ended());
  EXPECT_EQ(own->progress().counts, run_.expected(1).counts);
}

TEST_F(Cluster, an_entry_that_nobody_wrote_stops_the_worker_by_name) {
  EXPECT_EQ(log_->append(0, Bytes{7, 7, 7}, "x").value(), 1u);
  const auto own = replay("own");
  const auto stepped = own->step(milliseconds(0));
  ASSERT_FALSE(stepped.ok());
  EXPECT_EQ(stepped.error().code, "cluster.foreign_entry");
}

TEST_F(Cluster, other_sums_under_the_same_key_raise_the_alarm) {
  const PartitionSums one{run_.expected(1).counts, Bytes(200'000, 1)};  // several pieces
  EXPECT_TRUE(publish_sums(*log_, {1, 1, 3}, one).ok());
  EXPECT_TRUE(publish_sums(*log_, {1, 1, 3}, one).ok());
  EXPECT_EQ(published_sums(*log_, {1, 1, 3}).value()->aggregate, one.aggregate);
  const auto other = publish_sums(*log_, {1, 1, 3}, {one.counts, Bytes(200'000, 2)});
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().code, "cluster.diverged");
  EXPECT_EQ(*alarm_of(*log_).value(), other.error().what);
  EXPECT_EQ(published_sums(*log_, {1, 1, 3}).value()->aggregate, one.aggregate);
}

TEST_F(Cluster, of_two_coordinators_the_first_decides) {
  RoundState one{StudyStep::opening, 1, 1, 100, 0, ""}, other{StudyStep::abandoned, 1, 1, 101, 0, "operator"};
  EXPECT_EQ(propose_state(*log_, 1, one).value(), one);
  EXPECT_EQ(propose_state(*log_, 1, other).value(), one);
  EXPECT_EQ(*state_of(*log_, 1).value(), one);
  EXPECT_FALSE(state_of(*log_, 2).value().has_value());
}

TEST_F(Cluster, gateways_split_by_pseudonym_and_the_parts_sum_to_the_whole) {
  constexpr std::uint32_t k_partitions = 3;
  for (std::uint32_t p = 0; p < k_partitions; ++p) append({EntryKind::open, 1, 1, run_.kit.round_bytes}, p);
  std::atomic<int> stored{0};
  {
    Gateway gateway(*log_, k_partitions);
    for (const Bytes& batch : run_.batches)
      ASSERT_TRUE(gateway.submit(batch, [&stored](const std::optional<Error>& error) { stored += error ? 0 : 1; }));
  }
  EXPECT_EQ(stored, 6);
  ReasonCounts sum;
  for (std::uint32_t p = 0; p < k_partitions; ++p) {
    const auto own = replay(std::to_string(p).c_str(), p);
    go_on(*own);
    EXPECT_GT(own->progress().accepted, 0u);
    for (std::size_t i = 0; i < k_reasons; ++i) sum.of[i] += own->progress().counts.of[i];
  }
  EXPECT_EQ(sum, run_.expected(6).counts);
}

/// A log that stores nothing.
class FullLog final : public Log {
 public:
  Result<std::uint64_t> append(std::uint32_t partition, std::span<const std::uint8_t>, std::string_view) override {
    if (partition == 0) return std::uint64_t{1};
    return Error{"log.full", "full", "", ""};
  }
  Result<std::vector<LogEntry>> read(std::uint32_t, std::uint64_t, milliseconds) override {
    return std::vector<LogEntry>{};
  }
  Result<Bytes> put_once(std::string_view, std::span<const std::uint8_t>) override { return Bytes{}; }
  Result<std::optional<Bytes>> get(std::string_view) override { return std::optional<Bytes>{}; }
};

TEST_F(Cluster, a_batch_of_which_a_part_is_not_stored_is_not_stored) {
  FullLog log;
  std::vector<std::string> said;
  {
    Gateway gateway(log, 2);
    ASSERT_TRUE(gateway.submit(run_.batches[0], [&said](const std::optional<Error>& error) {
      said.push_back(error ? std::string(error->code) : "stored");
    }));
  }
  EXPECT_EQ(said, std::vector<std::string>{"log.full"});
}

TEST_F(Cluster, every_partition_has_one_worker_and_shares_are_even) {
  const std::vector<std::string> alive{"a", "b", "c"};
  std::vector<int> owned(16);
  for (const std::string& name : alive) {
    const auto share = share_of(name, alive, 16);
    EXPECT_GE(share.size(), 4u);
    EXPECT_LE(share.size(), 6u);
    for (const std::uint32_t p : share) ++owned[p];
  }
  EXPECT_TRUE(std::ranges::all_of(owned, [](int n) { return n == 1; }));
  EXPECT_EQ(share_of("a", {"a"}, 4).size(), 4u);
}

TEST(fleet_size, a_thousand_million_devices_a_day_are_what_the_design_says) {
  FleetLoad load;
  load.reports_a_day = 1e9;
  const FleetSize size = size_of(load);
  EXPECT_NEAR(size.mean_per_second, 11574, 1);
  EXPECT_NEAR(size.peak_per_second, 115741, 1);
  EXPECT_EQ(size.partitions, 64u);
  EXPECT_NEAR(size.connection_cores, 44.5, 0.1);
  EXPECT_LT(size.worker_cores, 1);
  load.reports_a_request = 1872;
  load.is_new_connection = false;
  const FleetSize batched = size_of(load);
  EXPECT_LT(batched.log_bytes, size.log_bytes / 5);
  EXPECT_EQ(batched.connection_cores, 0);
}

}  // namespace
}  // namespace sotto::analyzer
