// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The durable state of one run in one SQLite file: manifest, settings, rounds, batches of reports with their outcomes,
/// the duplicate index, aggregates and the model.

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

/// A stored round.
struct StoredRound {
  std::uint16_t number = 0;
  std::vector<std::uint8_t> bytes;
  bool is_closed = false;
};

/// The outcome of a batch.
struct AddedBatch : ReasonCounts {
  bool skipped = false;  ///< the batch was stored before: the counts are those of that time, and nothing changed
};

/// The name of the store in the directory of a run.
inline constexpr const char* k_run_store_name = "run.sqlite";

/// The store of one run. What was committed survives a killed process and a power cut. Threads and processes take
/// turns.
///
/// Batches are committed to SQLite's write-ahead log. Before their outcome is reported to anyone, settle() must copy
/// them into the database, whose checksums detect a changed bit. All other calls that write do this themselves.
///
/// To continue a run: open(), Collector::open(store.manifest(), key, store.index()), Collector::open_round() for each
/// of rounds() and close_round() for those that are closed, Collector::set_counts(store.counts()), then submit every
/// batch again: those that are stored are skipped.
/// Refuses   in addition to what is stated below, every call: io.*, store.busy: another process writes; store.damaged;
///           store.failed.
class RunStore {
 public:
  RunStore(const RunStore&) = delete;
  RunStore& operator=(const RunStore&) = delete;
  /// Settles batches that were not settled yet, unless another process prevents it.
  ~RunStore();

  /// Refuses   store.exists: there is a run already; wire.*: the bytes are not a manifest.
  [[nodiscard]] static Result<std::unique_ptr<RunStore>> create(const std::filesystem::path& path,
                                                                std::span<const std::uint8_t> manifest,
                                                                const std::string& settings_json,
                                                                const StoreLimits& limits = {});
  /// Refuses   store.not_a_run; store.unfinished: its creation was interrupted; store.other_version.
  [[nodiscard]] static Result<std::unique_ptr<RunStore>> open(const std::filesystem::path& path,
                                                              const StoreLimits& limits = {});

  /// For commands that publish results: opens the existing run and reads it through with check(), or creates a new one
  /// if there is none or its creation was interrupted.
  /// Refuses   what create(), open() and check() refuse.
  [[nodiscard]] static Result<std::unique_ptr<RunStore>> open_or_create(const std::filesystem::path& path,
                                                                        std::span<const std::uint8_t> manifest,
                                                                        const std::string& settings_json);

  [[nodiscard]] const std::vector<std::uint8_t>& manifest() const noexcept { return manifest_; }
  [[nodiscard]] const std::string& settings() const noexcept { return settings_; }

  /// Stores a round under its own number. Storing the same bytes again changes nothing.
  /// Refuses   wire.*; store.foreign_round: the round belongs to another study; store.other_round: other bytes are
  ///           stored under this number.
  [[nodiscard]] Result<Done> add_round(std::span<const std::uint8_t> round);
  /// All rounds, by rising number.
  [[nodiscard]] Result<std::vector<StoredRound>> rounds() const;

  /// The duplicate index, for Collector::open(). It may outlive the store.
  [[nodiscard]] std::unique_ptr<DuplicateIndex> index() const { return std::make_unique<StoreIndex>(seen_); }

  /// Lets the collector check a batch and stores bytes, counts and index entries in one transaction: all or nothing.
  /// The collector must use this store's index; a refusal leaves its counts unchanged.
  /// Refuses   store.no_round; store.round_closed; store.other_batch: other bytes are stored under this number;
  ///           store.batch_size: more than k_batch_max_bytes; store.other_study, store.other_index: the collector does
  ///           not belong to this run.
  [[nodiscard]] Result<AddedBatch> add_batch(Collector& collector, std::uint16_t round, std::uint64_t number,
                                             std::span<const std::uint8_t> batch);
  /// Lets the collector check the batches of several requests, and stores those reports that count or contradict, sorted,
  /// in one transaction: all or nothing. Returns the counts of each request. Of reports that are refused only the counts
  /// are kept; where nothing else arrived, they are stored with the next group or by keep_refusals().
  /// Refuses   what add_batch() refuses, but store.other_batch.
  [[nodiscard]] Result<std::vector<ReasonCounts>> add_group(Collector& collector, std::uint16_t round,
                                                            std::span<const std::span<const std::uint8_t>> requests);
  /// Stores the counts of refused reports that add_group() has not stored yet.
  [[nodiscard]] Result<Done> keep_refusals(std::uint16_t round);
  /// Removes all that is stored of a pseudonym which answered a round that is open: report, reading and count.
  /// Refuses   store.no_pseudonym: nothing is stored of it; store.round_closed: its round is closed, and its sum told.
  [[nodiscard]] Result<Done> forget(std::uint64_t pseudonym);
  /// Memory that the duplicate index takes.
  [[nodiscard]] std::size_t index_bytes() const { return seen_->bytes(); }
  /// Copies the write-ahead log into the database. Without this, one changed bit of the log can remove batches without
  /// being detected.
  /// Refuses   store.busy: another process is reading; the batches stay in the log, and a later call settles them.
  [[nodiscard]] Result<Done> settle();
  /// Whether this batch is stored. Throws StoreFailure where the disk fails.
  [[nodiscard]] bool has_batch(std::uint16_t round, std::uint64_t number) const;
  /// One more than the highest number of a batch of this round.
  [[nodiscard]] Result<std::uint64_t> next_batch(std::uint16_t round) const;
  /// Visits the batches of a round by rising number.
  /// Refuses   store.damaged: the bytes are not those that were stored.
  [[nodiscard]] Result<Done> each_batch(
      std::uint16_t round,
      const std::function<void(std::uint64_t number, std::span<const std::uint8_t> batch)>& visit) const;

  /// The outcomes of all reports of all stored batches, as Collector::counts() gives them.
  [[nodiscard]] Result<ReasonCounts> counts() const;
  /// The same for the batches that were stored under one round.
  [[nodiscard]] Result<ReasonCounts> counts(std::uint16_t round) const;
  /// Visits every reading that counts, by rising pseudonym. The readings visited are valid only if the call succeeds in
  /// the end.
  /// Refuses   store.damaged: the rows are not those that were inserted.
  [[nodiscard]] Result<Done> each_reading(std::uint16_t round, const std::function<void(const Reading&)>& visit) const {
    return seen_->each(round, visit);
  }

  /// Closes a round with its aggregate, after which it takes no batch. Closing again with the same aggregate changes
  /// nothing.
  /// Refuses   store.no_round; store.round_closed: it was closed with another aggregate.
  [[nodiscard]] Result<Done> close_round(std::uint16_t number, std::span<const std::uint8_t> aggregate);
  /// The aggregate of a closed round.
  /// Refuses   store.no_round; store.round_open.
  [[nodiscard]] Result<std::vector<std::uint8_t>> aggregate(std::uint16_t number) const;

  /// Stores the model, replacing an earlier one.
  [[nodiscard]] Result<Done> put_model(std::string_view json);
  /// The stored model.
  /// Refuses   store.no_model.
  [[nodiscard]] Result<std::string> model() const;

  /// Reads everything and checks pages and their indices, the seals of all tables, the digests of all bytes, and that
  /// the index holds as many readings as were accepted. If it succeeds, every row is as it was written.
  /// Cost      grows with the run, while opening does not.
  /// Refuses   store.damaged.
  [[nodiscard]] Result<Done> check() const;

 private:
  RunStore(std::shared_ptr<Database> database, std::shared_ptr<SeenTable> seen)
      : database_(std::move(database)), seen_(std::move(seen)) {}
  [[nodiscard]] Result<Done> load();
  [[nodiscard]] Result<bool> is_closed(std::uint16_t number) const;
  [[nodiscard]] Result<Done> store_round(std::span<const std::uint8_t> round);
  [[nodiscard]] Result<Done> store_aggregate(std::uint16_t number, std::span<const std::uint8_t> aggregate);
  [[nodiscard]] Result<Done> store_model(std::string_view json);
  [[nodiscard]] Result<AddedBatch> store_batch(Collector& collector, std::uint16_t round, std::uint64_t number,
                                               std::span<const std::uint8_t> batch);
  [[nodiscard]] Result<std::vector<ReasonCounts>> store_group(Collector& collector, std::uint16_t round,
                                                              std::span<const std::span<const std::uint8_t>> requests);
  [[nodiscard]] Result<Done> takes_batches(std::uint16_t round, const Collector& collector) const;
  [[nodiscard]] Result<Done> forget_in_round(const HeldReading& held);

  std::shared_ptr<Database> database_;
  std::shared_ptr<SeenTable> seen_;
  std::vector<std::uint8_t> manifest_;
  std::string settings_;
  Digest digest_{};
  bool unsettled_ = false;  ///< a batch was committed since settle()
  ReasonCounts refused_;    ///< counts of groups that nothing was stored of
};

}  // namespace sotto::analyzer
