// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// A thin C++ layer over SQLite: connections, prepared statements, transactions, with every failure as an Error.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "sotto/analyzer/result.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace sotto::analyzer {

/// One prepared SQL statement. Parameters and columns are counted from 0. Bound bytes must stay valid until reset().
class Statement {
 public:
  Statement() = default;
  explicit Statement(sqlite3_stmt* statement) noexcept : statement_(statement) {}

  Statement& bind(int parameter, std::int64_t value);
  Statement& bind(int parameter, std::span<const std::uint8_t> bytes);
  Statement& bind(int parameter, std::string_view text);

  /// Advances to the next row; false when there is none.
  /// Refuses   what store_error() reports.
  [[nodiscard]] Result<bool> step();
  /// Runs a statement that returns no rows, and resets it for the next values.
  [[nodiscard]] Result<Done> run();
  void reset() noexcept;

  [[nodiscard]] int columns() const;
  /// The SQLite type of a column, such as SQLITE_INTEGER.
  [[nodiscard]] int type(int column) const;
  [[nodiscard]] bool is_null(int column) const;
  [[nodiscard]] std::int64_t integer(int column) const;
  /// The bytes of a column, valid until the next step.
  [[nodiscard]] std::span<const std::uint8_t> bytes(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const noexcept;
  };
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

/// Resets a statement at the end of a scope: while a statement is on a row, no process can copy the write-ahead log
/// into the database.
class Rewind {
 public:
  explicit Rewind(Statement& statement) noexcept : statement_(statement) {}
  Rewind(const Rewind&) = delete;
  Rewind& operator=(const Rewind&) = delete;
  ~Rewind() { statement_.reset(); }

 private:
  Statement& statement_;
};

/// Limits of a database.
struct StoreLimits {
  std::chrono::milliseconds wait{10'000};  ///< longest wait for another process that writes
  std::uint64_t bytes = 0;                 ///< largest size of the file; 0: limited by the disk
};

/// A connection to one SQLite file. Commits survive a power cut (WAL, synchronous FULL); foreign keys are on.
class Database {
 public:
  enum class Mode : std::uint8_t { create, existing };
  /// Refuses   io.cannot_read, io.cannot_write; store.busy; store.damaged: not an SQLite file.
  [[nodiscard]] static Result<std::unique_ptr<Database>> open(const std::filesystem::path& path, Mode mode,
                                                              const StoreLimits& limits);

  /// Sets the page size and the write-ahead log of an empty file; both are permanent.
  [[nodiscard]] Result<Done> shape() const;
  /// Copies the write-ahead log into the database and empties it. SQLite ignores a log from the first damaged record
  /// on, so data that is only in the log can be lost without an error; damage to data in the database is detected by
  /// its seals.
  /// Refuses   store.busy: another process still reads or writes.
  [[nodiscard]] Result<Done> settle() const;
  [[nodiscard]] Result<Statement> prepare(std::string_view sql) const;
  /// Runs several statements that return no rows.
  [[nodiscard]] Result<Done> run(const std::string& sql) const;
  /// The integer that a statement returns in its first row.
  [[nodiscard]] Result<std::int64_t> number(std::string_view sql) const;
  /// changes(): rows changed by the last statement; last_row(): the number of the row inserted last.
  [[nodiscard]] std::int64_t changes() const noexcept;
  [[nodiscard]] std::int64_t last_row() const noexcept;
  [[nodiscard]] bool in_transaction() const noexcept;
  [[nodiscard]] sqlite3* handle() const noexcept { return handle_.get(); }

 private:
  struct Close {
    void operator()(sqlite3* handle) const noexcept;
  };
  explicit Database(sqlite3* handle) noexcept : handle_(handle) {}
  std::unique_ptr<sqlite3, Close> handle_;
};

/// The last SQLite error of a connection as an Error: io.disk_full, io.failed, io.cannot_read, io.cannot_write,
/// store.busy, store.damaged, store.failed.
[[nodiscard]] Error store_error(sqlite3* handle);

/// A write transaction: everything until commit(), or nothing. It takes the write lock at the start, so that two
/// processes wait for each other and never deadlock.
class Transaction {
 public:
  [[nodiscard]] static Result<Transaction> begin(Database& database);
  Transaction(Transaction&& other) noexcept : database_(std::exchange(other.database_, nullptr)) {}
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();
  [[nodiscard]] Result<Done> commit();

 private:
  explicit Transaction(Database& database) noexcept : database_(&database) {}
  Database* database_;
};

/// A read transaction: everything that is read during its lifetime is one state of the database, whatever other
/// processes write. Inside a write transaction it joins that one.
class Snapshot {
 public:
  [[nodiscard]] static Result<Snapshot> begin(const Database& database);
  Snapshot(Snapshot&& other) noexcept : database_(std::exchange(other.database_, nullptr)) {}
  Snapshot& operator=(Snapshot&&) = delete;
  ~Snapshot();

 private:
  explicit Snapshot(const Database* database) noexcept : database_(database) {}
  const Database* database_;
};

}  // namespace sotto::analyzer
