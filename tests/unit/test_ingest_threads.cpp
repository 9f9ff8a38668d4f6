// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "report_kit.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::uint64_t k_devices = 2000;

TEST(CollectorThreads, the_same_report_from_many_threads_counts_once) {
  ReportKit kit;
  std::vector<Bytes> reports;
  for (std::uint64_t p = 1; p <= k_devices; ++p) reports.push_back(kit.pack(p, static_cast<std::uint8_t>(p % 9)));
  const auto collector = kit.collector();
  std::atomic<std::uint64_t> accepted = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (const Bytes& report : reports) accepted += collector->absorb(report).accepted.has_value() ? 1 : 0;
      });
    }
  }
  EXPECT_EQ(accepted, k_devices);
  EXPECT_EQ(collector->counts()[Reason::accepted], k_devices);
  EXPECT_EQ(collector->counts()[Reason::duplicate], 3 * k_devices);
}

TEST(CollectorThreads, conflicts_across_threads_leave_nothing_in_the_sums) {
  ReportKit kit;
  std::vector<Bytes> one, other;
  for (std::uint64_t p = 1; p <= k_devices; ++p) {
    one.push_back(kit.pack(p, 1));
    other.push_back(kit.pack(p, p % 2 == 0 ? 1 : 2));  // odd pseudonyms contradict themselves
  }
  const auto collector = kit.collector();
  std::array<std::atomic<std::int64_t>, 9> sums{};
  const auto bring = [&](const std::vector<Bytes>& reports) {
    for (const Bytes& report : reports) {
      const Absorbed a = collector->absorb(report);
      if (a.accepted) ++sums[a.accepted->number];
      if (a.taken_back) --sums[a.taken_back->number];
    }
  };
  {
    const std::jthread first([&] { bring(one); }), second([&] { bring(other); });
  }
  EXPECT_EQ(sums[1], static_cast<std::int64_t>(k_devices / 2));
  EXPECT_EQ(sums[2], 0);
  EXPECT_EQ(collector->counts()[Reason::accepted], k_devices / 2);
  EXPECT_EQ(collector->counts()[Reason::conflict], k_devices);
  EXPECT_EQ(collector->counts()[Reason::duplicate], k_devices / 2);
}

TEST(CollectorThreads, rounds_open_and_close_while_reports_come) {
  ReportKit kit(vote_study("answers = 60000"));
  const Bytes report = kit.pack(1, 3);
  const auto collector = kit.collector();
  {
    const std::jthread bringing([&] {
      for (int i = 0; i < 2000; ++i) static_cast<void>(collector->absorb(report));
    });
    const std::jthread turning([&] {
      for (std::uint16_t n = 2; n < 200; ++n) {
        EXPECT_TRUE(collector->open_round(kit.round_with(n, k_every_cohort)).ok());
        EXPECT_TRUE(collector->close_round(static_cast<std::uint16_t>(n - 1)));
      }
    });
  }
  const ReasonCounts counts = collector->counts();
  EXPECT_EQ(counts.total(), 2000u);
  EXPECT_EQ(counts[Reason::accepted] + counts[Reason::duplicate] + counts[Reason::late], 2000u);
  EXPECT_LE(counts[Reason::accepted], 1u);
}

}  // namespace
}  // namespace sotto::analyzer
