// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The SQLite calls of the store: prepared statements, transactions, and SQLite's errors in the store's own words.
#include "sotto/analyzer/store/statement.hpp"

#include <sqlite3.h>

#include <fmt/format.h>

namespace sotto::analyzer {
namespace {

// A batch is written once, in a row, and takes some ten pages.
constexpr int k_page_bytes = 4096;
constexpr int k_cache_kib = 16 * 1024;
// The write-ahead log is copied into the database once it has this many pages, so that a page written repeatedly is
// copied once.
constexpr int k_checkpoint_pages = 16 * 1024;

}  // namespace

Error store_error(sqlite3* handle) {
  const char* name = handle == nullptr ? nullptr : sqlite3_db_filename(handle, "main");
  const std::string file = name == nullptr ? "" : name;
  const std::string said = handle == nullptr ? "out of memory" : sqlite3_errmsg(handle);
  switch (handle == nullptr ? SQLITE_NOMEM : sqlite3_errcode(handle) & 0xff) {
    case SQLITE_FULL:
      return {"io.disk_full", "the store cannot grow; what was committed before is kept", file,
              "make room on the disk, then continue the run"};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {"store.busy", "another process is writing this run", file, "wait until it ends, then try again"};
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return {"store.damaged", "the store is not as it was written: " + said, file,
              "restore it from a backup, or collect into a new run"};
    case SQLITE_IOERR: return {"io.failed", "the disk failed: " + said, file, "check the disk"};
    case SQLITE_CANTOPEN:
      return {"io.cannot_read", "cannot open the store: " + said, file, "check its name and permissions"};
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return {"io.cannot_write", "cannot write the store: " + said, file,
              "check the permissions of the file and its directory"};
    default: return {"store.failed", "SQLite refused: " + said, file, "report this with the command that led here"};
  }
}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const noexcept { sqlite3_finalize(statement); }

// Binding fails only for a parameter that the statement does not have.
Statement& Statement::bind(int parameter, std::int64_t value) {
  sqlite3_bind_int64(statement_.get(), parameter + 1, value);
  return *this;
}
Statement& Statement::bind(int parameter, std::span<const std::uint8_t> bytes) {
  // An empty span may hold a null pointer, which SQLite would take for NULL.
  if (bytes.empty()) {
    sqlite3_bind_zeroblob(statement_.get(), parameter + 1, 0);
  } else {
    sqlite3_bind_blob64(statement_.get(), parameter + 1, bytes.data(), bytes.size(), SQLITE_STATIC);
  }
  return *this;
}
Statement& Statement::bind(int parameter, std::string_view text) {
  sqlite3_bind_text64(statement_.get(), parameter + 1, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
  return *this;
}

Result<bool> Statement::step() {
  switch (sqlite3_step(statement_.get())) {
    case SQLITE_ROW: return true;
    case SQLITE_DONE: return false;
    default: return store_error(sqlite3_db_handle(statement_.get()));
  }
}

Result<Done> Statement::run() {
  const Rewind rewind(*this);
  const Result<bool> stepped = step();
  if (!stepped) return stepped.error();
  return Done{};
}

void Statement::reset() noexcept { sqlite3_reset(statement_.get()); }

int Statement::columns() const { return sqlite3_column_count(statement_.get()); }
int Statement::type(int column) const { return sqlite3_column_type(statement_.get(), column); }
bool Statement::is_null(int column) const { return type(column) == SQLITE_NULL; }
std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }
std::span<const std::uint8_t> Statement::bytes(int column) const {
  const auto* data = static_cast<const std::uint8_t*>(sqlite3_column_blob(statement_.get(), column));
  return {data, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

void Database::Close::operator()(sqlite3* handle) const noexcept { sqlite3_close_v2(handle); }

Result<std::unique_ptr<Database>> Database::open(const std::filesystem::path& path, Mode mode,
                                                 const StoreLimits& limits) {
  sqlite3* handle = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | (mode == Mode::create ? SQLITE_OPEN_CREATE : 0);
  const int opened = sqlite3_open_v2(path.c_str(), &handle, flags, nullptr);
  std::unique_ptr<Database> database(new Database(handle));
  if (opened != SQLITE_OK) {
    Error error = store_error(handle);
    error.value = path.string();
    if (mode == Mode::create && error.code == "io.cannot_read") error.code = "io.cannot_write";
    return error;
  }
  sqlite3_busy_timeout(handle, static_cast<int>(limits.wait.count()));
  std::string settings = fmt::format(
      "PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL; PRAGMA cache_size = -{}; PRAGMA wal_autocheckpoint = {};",
      k_cache_kib, k_checkpoint_pages);
  if (limits.bytes > 0) settings += fmt::format("PRAGMA max_page_count = {};", limits.bytes / k_page_bytes);
  if (const auto set = database->run(settings); !set) return set.error();
  return database;
}

Result<Done> Database::shape() const {
  return run(fmt::format("PRAGMA page_size = {}; PRAGMA journal_mode = WAL;", k_page_bytes));
}

Result<Done> Database::settle() const {
  switch (sqlite3_wal_checkpoint_v2(handle(), "main", SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr)) {
    case SQLITE_OK: return Done{};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return Error{"store.busy",
                   "another process is reading this run, so its write-ahead log cannot be copied into the database",
                   sqlite3_db_filename(handle(), "main"), "wait until it ends, then repeat the command"};
    default: return store_error(handle());
  }
}

Result<Statement> Database::prepare(std::string_view sql) const {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(handle(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr) != SQLITE_OK)
    return store_error(handle());
  return Statement(statement);
}

Result<Done> Database::run(const std::string& sql) const {
  if (sqlite3_exec(handle(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) return store_error(handle());
  return Done{};
}

Result<std::int64_t> Database::number(std::string_view sql) const {
  Result<Statement> query = prepare(sql);
  if (!query) return query.error();
  const Result<bool> row = query.value().step();
  if (!row) return row.error();
  return row.value() ? query.value().integer(0) : 0;
}

std::int64_t Database::changes() const noexcept { return sqlite3_changes(handle()); }
std::int64_t Database::last_row() const noexcept { return sqlite3_last_insert_rowid(handle()); }
bool Database::in_transaction() const noexcept { return sqlite3_get_autocommit(handle()) == 0; }

Result<Transaction> Transaction::begin(Database& database) {
  if (const auto begun = database.run("BEGIN IMMEDIATE"); !begun) return begun.error();
  return Transaction(database);
}

Transaction::~Transaction() {
  // After some failures SQLite has rolled back by itself.
  if (database_ != nullptr && database_->in_transaction()) (void)database_->run("ROLLBACK");
}

Result<Snapshot> Snapshot::begin(const Database& database) {
  if (database.in_transaction()) return Snapshot(nullptr);
  if (const auto begun = database.run("BEGIN"); !begun) return begun.error();
  return Snapshot(&database);
}

Snapshot::~Snapshot() {
  if (database_ != nullptr && database_->in_transaction()) (void)database_->run("ROLLBACK");
}

Result<Done> Transaction::commit() {
  const Result<Done> committed = database_->run("COMMIT");
  if (committed) database_ = nullptr;
  return committed;
}

}  // namespace sotto::analyzer
