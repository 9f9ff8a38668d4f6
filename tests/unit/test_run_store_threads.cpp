// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "run_kit.hpp"

namespace sotto::analyzer {
namespace {

TEST(RunStoreThreads, many_threads_store_every_batch_once_while_others_read) {
  const RunKit kit(24, 50);
  const TemporaryDirectory directory;
  const auto store = kit.create(directory / "run.sqlite");
  const auto collector = RunKit::resume(*store);
  std::atomic<int> added = 0, failed = 0;
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        for (std::size_t i = 0; i < kit.batches.size(); ++i) {
          const std::size_t b = (i + 6 * t) % kit.batches.size();
          const auto result = store->add_batch(*collector, 1, b, kit.batches[b]);
          if (!result || !store->has_batch(1, b)) ++failed;
          if (result.ok() && !result.value().skipped) ++added;
        }
      });
    }
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        const auto counts = store->counts();
        std::uint64_t readings = 0;
        if (!counts || !store->each_reading(1, [&](const Reading&) { ++readings; })) ++failed;
      }
    });
  }
  EXPECT_EQ(failed, 0);
  EXPECT_EQ(added, 24);
  EXPECT_EQ(shown(*store), kit.expected(24));
  EXPECT_EQ(shown(*collector), kit.expected(24));
}

}  // namespace
}  // namespace sotto::analyzer
