// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "broker_process.hpp"
#include "sotto/analyzer/log/jetstream/jetstream_log.hpp"
#include "sotto/analyzer/log/layout.hpp"
#include "sotto/analyzer/log/sqlite_log.hpp"
#include "temporary_directory.hpp"

// What every engine of the log promises, asked of each.
namespace sotto::analyzer {
namespace {

using Bytes = std::vector<std::uint8_t>;
using std::chrono::milliseconds;

const LogRun k_run{"0123456789abcdef", "1"};
constexpr std::uint32_t k_partitions = 3;

Bytes bytes(std::string_view text) { return {text.begin(), text.end()}; }
std::string text(const Bytes& bytes) { return {bytes.begin(), bytes.end()}; }

class LogContract : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
#ifdef SOTTO_NATS_SERVER
    if (GetParam() == "jetstream") broker_ = std::make_unique<BrokerProcess>(SOTTO_NATS_SERVER, directory_ / "");
#else
    if (GetParam() == "jetstream") GTEST_SKIP() << "built without libnats, or nats-server is not installed";
#endif
    log_ = opened();
    const auto begun = begin_run(*log_, k_run, {k_partitions, 1, std::uint64_t{1} << 20});
    ASSERT_TRUE(begun.ok()) << begun.error().message();
  }
  /// One more process, as it were.
  [[nodiscard]] std::unique_ptr<SharedLog> opened() const {
#ifdef SOTTO_NATS_SERVER
    if (broker_) {
      auto log = open_jetstream_log({{broker_->address()}, 1, "", ""}, k_run);
      if (!log) throw std::runtime_error(log.error().message());
      return std::move(log).value();
    }
#endif
    auto log = open_sqlite_log(directory_ / "log.sqlite");
    if (!log) throw std::runtime_error(log.error().message());
    return std::move(log).value();
  }
  /// All entries of a partition, as another process reads them.
  [[nodiscard]] std::vector<std::string> all(std::uint32_t partition, std::size_t wanted,
                                             std::uint64_t from = 1) const {
    const auto log = opened();
    std::vector<std::string> out;
    for (int silent = 0; silent < 10 && out.size() < wanted;) {
      const auto some = log->read(partition, from, milliseconds(100));
      EXPECT_TRUE(some.ok());
      if (!some) break;
      silent = some.value().empty() ? silent + 1 : 0;
      for (const LogEntry& entry : some.value()) {
        EXPECT_EQ(entry.sequence, from++);
        out.push_back(text(entry.bytes));
      }
    }
    return out;
  }

  TemporaryDirectory directory_;
  std::unique_ptr<BrokerProcess> broker_;
  std::unique_ptr<SharedLog> log_;
};

TEST_P(LogContract, entries_of_a_partition_are_numbered_from_one_and_read_in_order_by_others) {
  for (std::uint64_t i = 1; i <= 150; ++i) {
    const auto sequence = log_->append(1, bytes("entry " + std::to_string(i)), "id-" + std::to_string(i));
    ASSERT_TRUE(sequence.ok()) << sequence.error().message();
    EXPECT_EQ(sequence.value(), i);
  }
  ASSERT_TRUE(log_->append(0, bytes("elsewhere"), "id-1").ok());  // ids are of a partition
  const auto read = all(1, 150);
  ASSERT_EQ(read.size(), 150u);
  EXPECT_EQ(read.front(), "entry 1");
  EXPECT_EQ(read.back(), "entry 150");
  EXPECT_EQ(all(1, 51, 100).size(), 51u);
  EXPECT_EQ(all(0, 1), std::vector<std::string>{"elsewhere"});
  EXPECT_EQ(log_->last(1).value(), 150u);
  EXPECT_EQ(log_->last(2).value(), 0u);
}

TEST_P(LogContract, an_entry_that_is_appended_again_under_its_id_is_one_entry) {
  const auto first = log_->append(0, bytes("one"), "same"), again = log_->append(0, bytes("one"), "same");
  ASSERT_TRUE(first.ok() && again.ok());
  EXPECT_EQ(first.value(), again.value());
  EXPECT_EQ(all(0, 2), std::vector<std::string>{"one"});
}

TEST_P(LogContract, a_reader_may_go_back_and_waits_no_longer_than_it_said) {
  for (const char* id : {"a", "b", "c"}) ASSERT_TRUE(log_->append(2, bytes(id), id).ok());
  std::uint64_t from = 1;
  while (from < 4) from += log_->read(2, from, milliseconds(200)).value().size();
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_TRUE(log_->read(2, 4, milliseconds(100)).value().empty());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, milliseconds(3000));
  std::vector<LogEntry> back;
  while (back.empty()) back = log_->read(2, 2, milliseconds(200)).value();
  EXPECT_EQ(back.front().sequence, 2u);
  EXPECT_EQ(text(back.front().bytes), "b");
}

TEST_P(LogContract, an_entry_wakes_a_reader_that_waits) {
  std::thread later([this] {
    std::this_thread::sleep_for(milliseconds(100));
    EXPECT_TRUE(log_->append(0, bytes("late"), "late").ok());
  });
  EXPECT_EQ(all(0, 1), std::vector<std::string>{"late"});
  later.join();
}

TEST_P(LogContract, the_first_value_of_a_key_stays) {
  EXPECT_FALSE(log_->get("state.1").value().has_value());
  EXPECT_EQ(text(log_->put_once("state.1", bytes("first")).value()), "first");
  EXPECT_EQ(text(log_->put_once("state.1", bytes("second")).value()), "first");
  EXPECT_EQ(text(*opened()->get("state.1").value()), "first");
  const Bytes large(k_log_value_max, 7);
  EXPECT_EQ(log_->put_once("large", large).value(), large);
  EXPECT_EQ(*opened()->get("large").value(), large);
}

TEST_P(LogContract, of_many_that_write_a_key_at_once_all_are_told_the_same_value) {
  constexpr int k_writers = 6;
  std::vector<std::string> told(k_writers);
  std::vector<std::thread> writers;
  for (int i = 0; i < k_writers; ++i) {
    writers.emplace_back([&, i] {
      const auto own = opened();
      told[static_cast<std::size_t>(i)] = text(own->put_once("race", bytes("writer " + std::to_string(i))).value());
    });
  }
  for (std::thread& writer : writers) writer.join();
  for (const std::string& one : told) EXPECT_EQ(one, told.front());
}

TEST_P(LogContract, a_run_keeps_its_number_of_partitions) {
  const auto again = opened();
  EXPECT_TRUE(begin_run(*again, k_run, {k_partitions, 1, std::uint64_t{1} << 20}).ok());
  EXPECT_EQ(begun_partitions(*again, k_run, milliseconds(0)).value(), k_partitions);
  const auto other = begin_run(*again, k_run, {k_partitions + 1, 1, std::uint64_t{1} << 20});
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().code, "log.other_partitions");
  EXPECT_EQ(other.error().fix, "say --partitions 3, or begin another run with --run");
  const auto foreign = begin_run(*again, {"fedcba9876543210", "1"}, {k_partitions, 1, std::uint64_t{1} << 20});
  ASSERT_FALSE(foreign.ok());
  EXPECT_EQ(foreign.error().code, "log.other_partitions");
}

TEST_P(LogContract, notes_reach_the_others_and_the_newest_counts) {
  const auto other = opened();
  std::string heard;
  for (int i = 0; i < 50 && heard != "new"; ++i) {
    log_->post("worker-1", "old");
    log_->post("worker-1", "new");
    std::this_thread::sleep_for(milliseconds(20));
    for (const LogNote& note : other->notes()) heard = note.author == "worker-1" ? note.text : heard;
  }
  EXPECT_EQ(heard, "new");
}

INSTANTIATE_TEST_SUITE_P(engines, LogContract, ::testing::Values("sqlite", "jetstream"),
                         [](const auto& one) { return one.param; });

#ifdef SOTTO_NATS_SERVER

TEST(jetstream_log, a_full_partition_refuses_and_says_what_to_raise) {
  const TemporaryDirectory directory;
  const BrokerProcess broker(SOTTO_NATS_SERVER, directory / "");
  const auto log = open_jetstream_log({{broker.address()}, 1, "", ""}, k_run).value();
  ASSERT_TRUE(begin_run(*log, k_run, {1, 1, 100'000}).ok());
  const Bytes entry(30'000, 1);
  std::uint64_t stored = 0;
  Result<std::uint64_t> appended = std::uint64_t{0};
  for (int i = 0; i < 10 && appended.ok(); ++i) {
    appended = log->append(0, entry, std::to_string(i));
    if (appended.ok()) stored = appended.value();
  }
  ASSERT_FALSE(appended.ok());
  EXPECT_EQ(appended.error().code, "log.full");
  EXPECT_EQ(log->last(0).value(), stored);
}

TEST(jetstream_log, a_broker_without_jetstream_is_refused) {
  const TemporaryDirectory directory;
  const BrokerProcess broker(SOTTO_NATS_SERVER, directory / "", false);
  const auto log = open_jetstream_log({{broker.address()}, 1, "", ""}, k_run);
  ASSERT_FALSE(log.ok());
  EXPECT_EQ(log.error().code, "log.no_jetstream");
}

TEST(jetstream_log, a_broker_alone_keeps_no_three_replicas) {
  const TemporaryDirectory directory;
  const BrokerProcess broker(SOTTO_NATS_SERVER, directory / "");
  const auto log = open_jetstream_log({{broker.address()}, 1, "", ""}, k_run).value();
  const auto made = begin_run(*log, k_run, {1, 3, 100'000});
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().code, "log.too_few_nodes");
}

TEST(jetstream_log, servers_that_nobody_runs_are_named) {
  const std::string nowhere = "127.0.0.1:" + std::to_string(free_port());
  const auto log = open_jetstream_log({{"nats://" + nowhere}, 1, "", ""}, k_run);
  ASSERT_FALSE(log.ok());
  EXPECT_EQ(log.error().code, "log.unreachable");
  EXPECT_EQ(log.error().value, nowhere);
}

#endif

}  // namespace
}  // namespace sotto::analyzer
