// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "report_kit.hpp"
#include "sotto/analyzer/ingest/batch.hpp"
#include "sotto/analyzer/store/run_store.hpp"
#include "temporary_directory.hpp"

namespace sotto::analyzer {

/// What a run must show: counts by reason, and every reading that counts.
struct Shown {
  ReasonCounts counts;
  std::vector<Reading> readings;
  friend bool operator==(const Shown&, const Shown&) = default;
};

inline Shown shown(const Collector& collector) {
  Shown shown{collector.counts(), {}};
  collector.each(1, [&](const Reading& r) { shown.readings.push_back(r); });
  return shown;
}

/// What the store itself tells.
inline Shown shown(const RunStore& store) {
  const Result<ReasonCounts> counts = store.counts();
  Shown shown{counts.ok() ? counts.value() : ReasonCounts{}, {}};
  EXPECT_TRUE(counts.ok());
  const auto walked = store.each_reading(1, [&](const Reading& r) { shown.readings.push_back(r); });
  EXPECT_TRUE(walked.ok());
  return shown;
}

/// A study with batches that repeat and contradict each other, and what an undisturbed run makes of them.
class RunKit {
 public:
  explicit RunKit(std::size_t batch_count, std::size_t reports_each = 100) {
    SeededEntropy draw(17);
    for (std::size_t b = 0; b < batch_count; ++b) {
      Bytes batch;
      for (std::size_t i = 0; i < reports_each; ++i) {
        // About as many names as reports: a third comes twice or more, half of those with another answer.
        const std::uint64_t name = 0x9e3779b97f4a7c15u * (1 + draw.word() % (batch_count * reports_each));
        append_report(batch, kit.pack(name, static_cast<std::uint8_t>(draw.word() % 2)));
      }
      if (b % 3 == 0) append_report(batch, Bytes{1, 2, 3});
      batches.push_back(std::move(batch));
    }
  }

  /// After the first `count` batches, from memory.
  [[nodiscard]] Shown expected(std::size_t count) const {
    const auto collector = kit.collector();
    for (std::size_t b = 0; b < count; ++b) (void)collector->absorb_batch(batches[b]);
    return shown(*collector);
  }

  /// A store with round 1.
  [[nodiscard]] std::unique_ptr<RunStore> create(const std::filesystem::path& path,
                                                 const StoreLimits& limits = {}) const {
    auto store = RunStore::create(path, kit.compiled.manifest, R"({"seed": 1})", limits);
    if (!store) throw std::runtime_error(store.error().message());
    if (const auto added = store.value()->add_round(kit.round_bytes); !added)
      throw std::runtime_error(added.error().message());
    return std::move(store).value();
  }

  /// A collector that goes on where the store stands.
  [[nodiscard]] static std::unique_ptr<Collector> resume(const RunStore& store,
                                                         const std::optional<MasterKey>& key = {}) {
    auto collector = Collector::open(store.manifest(), key, store.index()).value();
    const std::vector<StoredRound> rounds = store.rounds().value();
    for (const StoredRound& round : rounds) {
      EXPECT_TRUE(collector->open_round(round.bytes).ok());
      if (round.is_closed) collector->close_round(round.number);
    }
    collector->set_counts(store.counts().value());
    return collector;
  }

  /// How many of the batches are there; -1 when they are not the first ones.
  [[nodiscard]] std::ptrdiff_t prefix(const RunStore& store) const {
    std::ptrdiff_t count = 0;
    bool in_order = true;
    const auto walked = store.each_batch(1, [&](std::uint64_t number, std::span<const std::uint8_t> bytes) {
      in_order = in_order && number == static_cast<std::uint64_t>(count) && number < batches.size() &&
                 std::ranges::equal(bytes, batches[number]);
      ++count;
    });
    return walked.ok() && in_order ? count : -1;
  }

  ReportKit kit{vote_study("authenticated = false")};
  std::vector<Bytes> batches;
};

}  // namespace sotto::analyzer
