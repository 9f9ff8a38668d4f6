// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The duplicate index on disk: which pseudonym answered what, in the run's SQLite file.

#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>

#include "sotto/analyzer/ingest/duplicate_index.hpp"
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

/// The table `seen` of a run, with one row for each answering pseudonym. There is one object for a database; threads
/// take turns.
class SeenTable {
 public:
  [[nodiscard]] static Result<std::shared_ptr<SeenTable>> open(std::shared_ptr<Database> database);

  /// Inserts a reading; throws StoreFailure. Outside a transaction every insertion is a transaction of its own.
  [[nodiscard]] DuplicateIndex::Finding put(std::uint16_t slot, const Reading& reading);
  /// Visits the readings of a round that count.
  /// Refuses   store.damaged, at the end: the rows visited do not match the seal of the round.
  [[nodiscard]] Result<Done> each(std::uint16_t round, const std::function<void(const Reading&)>& visit) const;
  /// Updates the stored seal by the insertions of this transaction. Without it the next reader finds the rows damaged.
  [[nodiscard]] Result<Done> seal();
  /// Discards the pending seal changes: the transaction was rolled back, or a new one begins.
  void forget();

  /// Insertions and withdrawals of the current batch.
  struct Tally {
    std::uint64_t put = 0, taken_back = 0;
  };
  Tally tally;
  /// Guards the database. Recursive, because adding a batch inserts readings.
  mutable std::recursive_mutex lock;

 private:
  explicit SeenTable(std::shared_ptr<Database> database) : database_(std::move(database)) {}
  [[nodiscard]] Result<DuplicateIndex::Finding> put_row(std::uint16_t slot, const Reading& reading);
  [[nodiscard]] Result<DuplicateIndex::Finding> find(std::uint16_t slot, const Reading& reading);

  std::shared_ptr<Database> database_;
  Statement insert_, select_, update_;
  std::map<std::uint16_t, SealSum> moved_;  ///< seal changes of each round since the last seal()
};

/// The duplicate index on disk, with the semantics of MemoryIndex. Memory does not grow with the number of reports, as
/// only SQLite's page cache is in memory. A slot is 0 or the round, as the Collector passes it. Throws StoreFailure
/// where the disk fails.
class StoreIndex final : public DuplicateIndex {
 public:
  explicit StoreIndex(std::shared_ptr<SeenTable> table) : table_(std::move(table)) {}
  [[nodiscard]] Finding put(std::uint16_t slot, const Reading& reading) override;
  void each(std::uint16_t round, const std::function<void(const Reading&)>& visit) const override;

 private:
  std::shared_ptr<SeenTable> table_;
};

}  // namespace sotto::analyzer
