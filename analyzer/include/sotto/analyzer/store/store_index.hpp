// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>

#include "sotto/analyzer/ingest/duplicate_index.hpp"
#include "sotto/analyzer/store/seal_sum.hpp"
#include "sotto/analyzer/store/statement.hpp"

namespace sotto::analyzer {

/// A disk that fails inside an interface that cannot refuse. Silence there would be a wrong sum.
class StoreFailure final : public std::runtime_error {
 public:
  explicit StoreFailure(Error error) : std::runtime_error(error.message()), error_(std::move(error)) {}
  [[nodiscard]] const Error& error() const noexcept { return error_; }

 private:
  Error error_;
};

/// The table `seen` of a run: who answered what. One for a database; threads take turns.
class SeenTable {
 public:
  [[nodiscard]] static Result<std::shared_ptr<SeenTable>> open(std::shared_ptr<Database> database);

  /// Throws StoreFailure. Outside of a transaction every put is its own.
  [[nodiscard]] DuplicateIndex::Finding put(std::uint16_t slot, const Reading& reading);
  /// Refuses   store.damaged, in the end: what was visited does not come to the seal of the round.
  [[nodiscard]] Result<Done> each(std::uint16_t round, const std::function<void(const Reading&)>& visit) const;
  /// Stores what the puts of this transaction came to. Without it the next one that reads finds the rows changed.
  [[nodiscard]] Result<Done> seal();
  /// The transaction was given up, or a new one begins.
  void forget();

  /// What a batch did so far.
  struct Tally {
    std::uint64_t put = 0, taken_back = 0;
  };
  Tally tally;
  /// Held by whoever uses the database. Recursive: adding a batch puts.
  mutable std::recursive_mutex lock;

 private:
  explicit SeenTable(std::shared_ptr<Database> database) : database_(std::move(database)) {}
  [[nodiscard]] Result<DuplicateIndex::Finding> put_row(std::uint16_t slot, const Reading& reading);
  [[nodiscard]] Result<DuplicateIndex::Finding> find(std::uint16_t slot, const Reading& reading);

  std::shared_ptr<Database> database_;
  Statement insert_, select_, update_;
  std::map<std::uint16_t, SealSum> moved_;  ///< of each round, since the last seal()
};

/// The duplicate index on disk, with the semantics of MemoryIndex. Memory does not grow with the number of reports:
/// what is kept of the table is SQLite's page cache. A slot is 0 or the round, as Collector gives it. Throws
/// StoreFailure where the disk fails.
class StoreIndex final : public DuplicateIndex {
 public:
  explicit StoreIndex(std::shared_ptr<SeenTable> table) : table_(std::move(table)) {}
  [[nodiscard]] Finding put(std::uint16_t slot, const Reading& reading) override;
  void each(std::uint16_t round, const std::function<void(const Reading&)>& visit) const override;

 private:
  std::shared_ptr<SeenTable> table_;
};

}  // namespace sotto::analyzer
