// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// @file
/// Prepared statements of SQLite with its errors as results; the store of a run is written with them.

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

/// One prepared SQL statement. Parameters and columns count from 0. Bound bytes must stay until reset().
class Statement {
 public:
  Statement() = default;
  explicit Statement(sqlite3_stmt* statement) noexcept : statement_(statement) {}

  Statement& bind(int parameter, std::int64_t value);
  Statement& bind(int parameter, std::span<const std::uint8_t> bytes);
  Statement& bind(int parameter, std::string_view text);

  /// True: there is a row. False: it is through.
  /// Refuses   as Database::error() names what SQLite says.
  [[nodiscard]] Result<bool> step();
  /// For what has no rows: runs through, and is ready for the next values.
  [[nodiscard]] Result<Done> run();
  void reset() noexcept;

  [[nodiscard]] int columns() const;
  /// SQLITE_INTEGER and so on.
  [[nodiscard]] int type(int column) const;
  [[nodiscard]] bool is_null(int column) const;
  [[nodiscard]] std::int64_t integer(int column) const;
  /// Until the next step.
  [[nodiscard]] std::span<const std::uint8_t> bytes(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const noexcept;
  };
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

/// Brings a statement back to its beginning when a function is left: one that stands on a row keeps others from checkpointing.
class Rewind {
 public:
  explicit Rewind(Statement& statement) noexcept : statement_(statement) {}
  Rewind(const Rewind&) = delete;
  Rewind& operator=(const Rewind&) = delete;
  ~Rewind() { statement_.reset(); }

 private:
  Statement& statement_;
};

/// How far a database may go.
struct StoreLimits {
  std::chrono::milliseconds wait{10'000};  ///< for another process that writes
  std::uint64_t bytes = 0;                 ///< that the file may not outgrow; 0: the disk decides
};

/// A connection to one SQLite file. Commits survive a power cut (WAL, synchronous FULL); foreign keys are on.
class Database {
 public:
  enum class Mode : std::uint8_t { create, existing };
  /// Refuses   io.cannot_read, io.cannot_write; store.busy; store.damaged: no SQLite file.
  [[nodiscard]] static Result<std::unique_ptr<Database>> open(const std::filesystem::path& path, Mode mode,
                                                              const StoreLimits& limits);

  /// Gives an empty file its page size and its write-ahead log, which it keeps.
  [[nodiscard]] Result<Done> shape() const;
  [[nodiscard]] Result<Statement> prepare(std::string_view sql) const;
  /// Statements behind each other, without rows.
  [[nodiscard]] Result<Done> run(const std::string& sql) const;
  /// A number that a statement gives in its first row.
  [[nodiscard]] Result<std::int64_t> number(std::string_view sql) const;
  /// Rows that the last insertion made, and the number of the last one.
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

/// What SQLite last said, in words: io.disk_full, io.failed, io.cannot_read, io.cannot_write, store.busy, store.damaged,
/// store.failed.
[[nodiscard]] Error store_error(sqlite3* handle);

/// Everything until commit(), or nothing. Begins as a writer, so that two processes wait for each other and never deadlock.
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

/// What is read while it lives is of one moment, whatever other processes write. Inside a transaction it is that one.
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
