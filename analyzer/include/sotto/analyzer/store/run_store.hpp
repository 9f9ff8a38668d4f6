// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sotto/analyzer/ingest/collector.hpp"
#include "sotto/analyzer/store/statement.hpp"
#include "sotto/analyzer/store/store_index.hpp"

namespace sotto::analyzer {

/// A round as the store has it.
struct StoredRound {
  std::uint16_t number = 0;
  std::vector<std::uint8_t> bytes;
  bool is_closed = false;
};

/// What became of a batch.
struct AddedBatch : ReasonCounts {
  bool skipped = false;  ///< it was stored before: these are the counts of that time, and nothing changed
};

/// Of the store, in the directory of a run.
inline constexpr const char* k_run_store_name = "run.sqlite";

/// Everything of one run in one SQLite file: manifest, settings, rounds, batches of reports with what became of them, the duplicate
/// index, aggregates, the model. What was committed survives a killed process and a power cut. Threads take turns, and so do
/// processes.
///
/// To go on with a run: open(), Collector::open(store.manifest(), key, store.index()), Collector::open_round() for each of
/// rounds() and close_round() for those that are closed, Collector::set_counts(store.counts()), then every batch again:
/// those that are stored are skipped.
/// Refuses   beside what is said below, every call: io.*, store.busy: another process writes; store.damaged; store.failed.
class RunStore {
 public:
  /// Refuses   store.exists: there is a run; wire.*: the bytes are no manifest.
  [[nodiscard]] static Result<std::unique_ptr<RunStore>> create(const std::filesystem::path& path,
                                                                std::span<const std::uint8_t> manifest,
                                                                std::string settings_json,
                                                                const StoreLimits& limits = {});
  /// Refuses   store.not_a_run, store.unfinished: its creation was cut off; store.other_version.
  [[nodiscard]] static Result<std::unique_ptr<RunStore>> open(const std::filesystem::path& path,
                                                              const StoreLimits& limits = {});

  /// For whoever gives results: the run that is there, read through by check(), or a new one where there is none or its creation
  /// was cut off.
  /// Refuses   what create(), open() and check() refuse.
  [[nodiscard]] static Result<std::unique_ptr<RunStore>> open_or_create(const std::filesystem::path& path,
                                                                        std::span<const std::uint8_t> manifest,
                                                                        const std::string& settings_json);

  [[nodiscard]] const std::vector<std::uint8_t>& manifest() const noexcept { return manifest_; }
  [[nodiscard]] const std::string& settings() const noexcept { return settings_; }

  /// The number is the round's own. The same bytes again change nothing.
  /// Refuses   wire.*; store.foreign_round: of another study; store.other_round: other bytes under this number.
  [[nodiscard]] Result<Done> add_round(std::span<const std::uint8_t> round);
  /// By rising number.
  [[nodiscard]] Result<std::vector<StoredRound>> rounds() const;

  /// For Collector::open(). It may outlive the store.
  [[nodiscard]] std::unique_ptr<DuplicateIndex> index() const { return std::make_unique<StoreIndex>(seen_); }

  /// Lets the collector judge a batch and keeps bytes, counts and index entries in one transaction: all or nothing. The collector
  /// must have this store's index; a refusal leaves its counts as they were.
  /// Refuses   store.no_round; store.round_closed; store.other_batch: other bytes under this number; store.batch_size: more than
  ///           k_batch_max_bytes; store.other_study, store.other_index: not this run's collector.
  [[nodiscard]] Result<AddedBatch> add_batch(Collector& collector, std::uint16_t round, std::uint64_t number,
                                             std::span<const std::uint8_t> batch);
  /// Throws StoreFailure where the disk fails.
  [[nodiscard]] bool has_batch(std::uint16_t round, std::uint64_t number) const;
  /// One more than the highest number of a batch of this round.
  [[nodiscard]] Result<std::uint64_t> next_batch(std::uint16_t round) const;
  /// Batches of a round by rising number.
  /// Refuses   store.damaged: bytes are not those that were stored.
  [[nodiscard]] Result<Done> each_batch(
      std::uint16_t round,
      const std::function<void(std::uint64_t number, std::span<const std::uint8_t> batch)>& visit) const;

  /// What became of all reports of all stored batches, as Collector::counts() tells it.
  [[nodiscard]] Result<ReasonCounts> counts() const;
  /// The same of the batches that were stored under one round.
  [[nodiscard]] Result<ReasonCounts> counts(std::uint16_t round) const;
  /// Every reading that counts, by rising pseudonym, one at a time. What was visited is right only if nothing is refused in the end.
  /// Refuses   store.damaged: the rows are not those that were put in.
  [[nodiscard]] Result<Done> each_reading(std::uint16_t round, const std::function<void(const Reading&)>& visit) const {
    return seen_->each(round, visit);
  }

  /// Once: the same aggregate again changes nothing. Afterwards the round takes no batch.
  /// Refuses   store.no_round; store.round_closed: with another aggregate.
  [[nodiscard]] Result<Done> close_round(std::uint16_t number, std::span<const std::uint8_t> aggregate);
  /// Refuses   store.no_round; store.round_open.
  [[nodiscard]] Result<std::vector<std::uint8_t>> aggregate(std::uint16_t number) const;

  /// Replaces an earlier one.
  [[nodiscard]] Result<Done> put_model(std::string_view json);
  /// Refuses   store.no_model.
  [[nodiscard]] Result<std::string> model() const;

  /// Reads everything: pages and their indices, seals of all tables, digests of all bytes, and that the index holds as many readings
  /// as were accepted. Passed, every row is as it was written.
  /// Cost      grows with the run; opening does not.
  /// Refuses   store.damaged.
  [[nodiscard]] Result<Done> check() const;

 private:
  RunStore(std::shared_ptr<Database> database, std::shared_ptr<SeenTable> seen)
      : database_(std::move(database)), seen_(std::move(seen)) {}
  [[nodiscard]] Result<Done> load();
  [[nodiscard]] Result<bool> is_closed(std::uint16_t number) const;
  [[nodiscard]] Result<AddedBatch> store_batch(Collector& collector, std::uint16_t round, std::uint64_t number,
                                               std::span<const std::uint8_t> batch);

  std::shared_ptr<Database> database_;
  std::shared_ptr<SeenTable> seen_;
  std::vector<std::uint8_t> manifest_;
  std::string settings_;
  Digest digest_{};
};

}  // namespace sotto::analyzer
