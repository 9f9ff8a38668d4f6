// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The duplicate index of a store: which pseudonym answered what, in memory and in the run's SQLite file.

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sotto/analyzer/ingest/duplicate_index.hpp"
#include "sotto/analyzer/store/reading_blob.hpp"
#include "sotto/analyzer/store/reading_table.hpp"
#include "sotto/analyzer/store/seal_sum.hpp"
#include "sotto/analyzer/store/statement.hpp"

namespace sotto::analyzer {

/// Thrown where the disk fails inside an interface that cannot return an error. Ignoring the failure would give a wrong
/// sum.
class StoreFailure final : public std::runtime_error {
 public:
  explicit StoreFailure(Error error) : std::runtime_error(error.message()), error_(std::move(error)) {}
  [[nodiscard]] const Error& error() const noexcept { return error_; }

 private:
  Error error_;
};

/// Which pseudonym answered what: the readings of all stored batches in memory, loaded when they are first needed, and
/// the table `seen` of the pseudonyms that contradicted themselves. There is one object for a database; threads take
/// turns. What another process stored in between is loaded again.
class SeenTable {
 public:
  [[nodiscard]] static Result<std::shared_ptr<SeenTable>> open(std::shared_ptr<Database> database);

  /// Inserts a reading into the batch of the current transaction; throws StoreFailure, also where there is none.
  [[nodiscard]] DuplicateIndex::Finding put(std::uint16_t slot, const Reading& reading);
  /// Visits the readings of a round that count.
  /// Refuses   store.damaged: what was stored is not as it was written.
  [[nodiscard]] Result<Done> each(std::uint16_t round, const std::function<void(const Reading&)>& visit) const;
  /// From now on a contradiction no longer withdraws a reading of this round: its sum is told.
  void freeze(std::uint16_t round);

  /// Begins a batch, inside a transaction.
  /// Refuses   store.damaged.
  [[nodiscard]] Result<Done> begin();
  /// The accepted readings of the batch, to be stored with it.
  [[nodiscard]] const std::vector<std::uint8_t>& batch_readings() const noexcept { return batch_.bytes(); }
  /// Sorts them, so that their order of arrival is not stored.
  void forget_order() { batch_.forget_order(); }
  /// Begins the next stored row of the same transaction.
  void next_row() noexcept { batch_.clear(); }
  /// Updates the stored seal by the contradictions of this transaction. Without it the next reader finds the rows
  /// damaged.
  [[nodiscard]] Result<Done> seal();
  /// The transaction is committed.
  void keep() noexcept;
  /// The transaction was rolled back: what it changed in memory is undone.
  void forget();
  /// Loads everything again before it is next needed.
  void unload() noexcept { loaded_ = false; }

  /// A reading of this pseudonym; nullptr if there is none. Valid until the next insertion.
  /// Refuses   store.damaged.
  [[nodiscard]] Result<const HeldReading*> find_held(std::uint16_t slot, std::uint64_t pseudonym);
  /// Memory that the readings take.
  [[nodiscard]] std::size_t bytes() const;

  /// Insertions and withdrawals of the current batch.
  struct Tally {
    std::uint64_t put = 0, taken_back = 0;
  };
  Tally tally;
  /// Guards the database. Recursive, because adding a batch inserts readings.
  mutable std::recursive_mutex lock;

 private:
  using Name = std::pair<std::uint16_t, std::uint64_t>;  // slot and pseudonym
  explicit SeenTable(std::shared_ptr<Database> database) : database_(std::move(database)) {}
  [[nodiscard]] Result<Done> load() const;
  [[nodiscard]] Result<Done> load_batches() const;
  [[nodiscard]] Result<Done> load_contradicted() const;
  [[nodiscard]] Result<DuplicateIndex::Finding> put_row(std::uint16_t slot, const Reading& reading);
  [[nodiscard]] Result<DuplicateIndex::Finding> contradict(std::uint16_t slot, HeldReading& held,
                                                           const Reading& reading);
  [[nodiscard]] Result<DuplicateIndex::Finding> contradict_again(std::uint16_t slot, const Reading& reading);
  void keep_payload(std::uint16_t slot, const Reading& reading) const;
  [[nodiscard]] Reading whole(const HeldReading& held) const;

  std::shared_ptr<Database> database_;
  Statement insert_, select_, update_;
  mutable bool loaded_ = false;
  mutable std::int64_t version_ = 0;  // of the data that other processes stored
  mutable ReadingTable held_;
  mutable std::map<Name, std::vector<std::uint8_t>> payloads_;  // of readings that are no number
  mutable std::size_t payload_bytes_ = 0;
  mutable std::set<std::uint16_t> frozen_;
  ReadingWriter batch_;
  std::vector<Name> inserted_, contradicted_;  // by this transaction
  std::map<std::uint16_t, SealSum> moved_;     // seal changes of each round since the last seal()
};

/// The duplicate index of a store, with the semantics of MemoryIndex. A slot is 0 or the round, as the Collector passes
/// it. Throws StoreFailure where the disk fails.
class StoreIndex final : public DuplicateIndex {
 public:
  explicit StoreIndex(std::shared_ptr<SeenTable> table) : table_(std::move(table)) {}
  [[nodiscard]] Finding put(std::uint16_t slot, const Reading& reading) override;
  void each(std::uint16_t round, const std::function<void(const Reading&)>& visit) const override;
  void freeze(std::uint16_t round) override { table_->freeze(round); }

 private:
  std::shared_ptr<SeenTable> table_;
};

}  // namespace sotto::analyzer
