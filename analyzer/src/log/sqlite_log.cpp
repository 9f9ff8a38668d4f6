// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/log/sqlite_log.hpp"

#include <condition_variable>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "sotto/analyzer/store/statement.hpp"

namespace sotto::analyzer {
namespace {

// An id is kept with its entry for ever: cheaper than a clock, and it saves more.
constexpr const char* k_log_tables = R"(
CREATE TABLE IF NOT EXISTS entries(partition INTEGER NOT NULL, sequence INTEGER NOT NULL, id TEXT NOT NULL,
  bytes BLOB NOT NULL, PRIMARY KEY(partition, sequence), UNIQUE(partition, id));
CREATE TABLE IF NOT EXISTS once(key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS notes(author TEXT PRIMARY KEY, at INTEGER NOT NULL, text TEXT NOT NULL) WITHOUT ROWID;
)";
constexpr auto k_poll = std::chrono::milliseconds(20);
constexpr std::chrono::milliseconds k_note_age_max{10'000};

std::int64_t log_milliseconds() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::vector<std::uint8_t> copied(std::span<const std::uint8_t> bytes) { return {bytes.begin(), bytes.end()}; }

class SqliteLog final : public SharedLog {
 public:
  explicit SqliteLog(std::unique_ptr<Database> database) : database_(std::move(database)) {}

  Result<std::uint64_t> append(std::uint32_t partition, std::span<const std::uint8_t> bytes,
                               std::string_view id) override {
    const std::lock_guard hold(lock_);
    Result<Transaction> transaction = Transaction::begin(*database_);
    if (!transaction) return said(transaction.error());
    {
      Result<Statement> there = database_->prepare("SELECT sequence FROM entries WHERE partition = ? AND id = ?");
      if (!there) return said(there.error());
      const Result<bool> row = there.value().bind(0, std::int64_t{partition}).bind(1, id).step();
      if (!row) return said(row.error());
      if (row.value()) return static_cast<std::uint64_t>(there.value().integer(0));
    }
    const Result<std::uint64_t> last = last_of(partition);
    if (!last) return last.error();
    Result<Statement> insert =
        database_->prepare("INSERT INTO entries(partition, sequence, id, bytes) VALUES(?, ?, ?, ?)");
    if (!insert) return said(insert.error());
    insert.value().bind(0, std::int64_t{partition}).bind(1, static_cast<std::int64_t>(last.value() + 1));
    insert.value().bind(2, id).bind(3, bytes);
    if (const auto done = insert.value().run(); !done) return said(done.error());
    if (const auto done = transaction.value().commit(); !done) return said(done.error());
    return last.value() + 1;
  }

  Result<std::vector<LogEntry>> read(std::uint32_t partition, std::uint64_t from,
                                     std::chrono::milliseconds wait) override {
    const auto until = std::chrono::steady_clock::now() + wait;
    for (;;) {
      Result<std::vector<LogEntry>> some = read_now(partition, from);
      if (!some || !some.value().empty() || std::chrono::steady_clock::now() >= until) return some;
      std::this_thread::sleep_for(k_poll);
    }
  }

  Result<std::vector<std::uint8_t>> put_once(std::string_view key, std::span<const std::uint8_t> value) override {
    const std::lock_guard hold(lock_);
    Result<Transaction> transaction = Transaction::begin(*database_);
    if (!transaction) return said(transaction.error());
    const Result<std::optional<std::vector<std::uint8_t>>> there = value_of(key);
    if (!there) return there.error();
    if (there.value()) return *there.value();
    Result<Statement> insert = database_->prepare("INSERT INTO once(key, value) VALUES(?, ?)");
    if (!insert) return said(insert.error());
    if (const auto done = insert.value().bind(0, key).bind(1, value).run(); !done) return said(done.error());
    if (const auto done = transaction.value().commit(); !done) return said(done.error());
    return copied(value);
  }

  Result<std::optional<std::vector<std::uint8_t>>> get(std::string_view key) override {
    const std::lock_guard hold(lock_);
    return value_of(key);
  }

  Result<Done> make_partitions(const LogShape&, bool) override { return Done{}; }

  Result<std::uint64_t> last(std::uint32_t partition) override {
    const std::lock_guard hold(lock_);
    return last_of(partition);
  }

  void post(std::string_view author, std::string_view text) override {
    const std::lock_guard hold(lock_);
    Result<Statement> put = database_->prepare("INSERT OR REPLACE INTO notes(author, at, text) VALUES(?, ?, ?)");
    if (put) (void)put.value().bind(0, author).bind(1, log_milliseconds()).bind(2, text).run();
  }

  std::vector<LogNote> notes() override {
    const std::lock_guard hold(lock_);
    std::vector<LogNote> out;
    Result<Statement> query = database_->prepare("SELECT author, at, text FROM notes ORDER BY author");
    if (!query) return out;
    for (;;) {
      const Result<bool> row = query.value().step();
      if (!row || !row.value()) return out;
      const auto author = query.value().bytes(0), text = query.value().bytes(2);
      const std::chrono::milliseconds age(log_milliseconds() - query.value().integer(1));
      if (age < k_note_age_max)
        out.push_back({std::string(author.begin(), author.end()), std::string(text.begin(), text.end()), age});
    }
  }

  std::string engine() const override { return "sqlite"; }
  std::vector<LogNode> nodes() override { return {}; }
  std::string warning() const override { return {}; }

 private:
  /// A busy or full file is an answer of the log, not of a run.
  static Error said(const Error& error) {
    if (error.code == "io.disk_full") return {"log.full", error.what, error.value, error.fix};
    if (error.code == "store.busy") return {"log.unreachable", error.what, error.value, error.fix};
    return {"log.failed", error.message(), "", "look at the file of the log and its disk"};
  }

  [[nodiscard]] Result<std::uint64_t> last_of(std::uint32_t partition) const {
    const auto query = fmt::format("SELECT coalesce(max(sequence), 0) FROM entries WHERE partition = {}", partition);
    const Result<std::int64_t> last = database_->number(query);
    if (!last) return said(last.error());
    return static_cast<std::uint64_t>(last.value());
  }

  [[nodiscard]] Result<std::optional<std::vector<std::uint8_t>>> value_of(std::string_view key) const {
    Result<Statement> query = database_->prepare("SELECT value FROM once WHERE key = ?");
    if (!query) return said(query.error());
    const Result<bool> row = query.value().bind(0, key).step();
    if (!row) return said(row.error());
    if (!row.value()) return std::optional<std::vector<std::uint8_t>>{};
    return std::optional(copied(query.value().bytes(0)));
  }

  Result<std::vector<LogEntry>> read_now(std::uint32_t partition, std::uint64_t from) {
    const std::lock_guard hold(lock_);
    Result<Statement> query = database_->prepare(
        "SELECT sequence, bytes FROM entries WHERE partition = ? AND sequence >= ? ORDER BY sequence LIMIT 64");
    if (!query) return said(query.error());
    query.value().bind(0, std::int64_t{partition}).bind(1, static_cast<std::int64_t>(from));
    std::vector<LogEntry> some;
    for (;;) {
      const Result<bool> row = query.value().step();
      if (!row) return said(row.error());
      if (!row.value()) return some;
      const auto sequence = static_cast<std::uint64_t>(query.value().integer(0));
      if (sequence != from + some.size()) {
        return Error{"log.truncated", "the log no longer has this entry",
                     fmt::format("partition {}, entry {}", partition, from + some.size()), "restore it from a backup"};
      }
      some.push_back({sequence, copied(query.value().bytes(1))});
    }
  }

  std::mutex lock_;
  std::unique_ptr<Database> database_;
};

}  // namespace

Result<std::unique_ptr<SharedLog>> open_sqlite_log(const std::filesystem::path& path) {
  Result<std::unique_ptr<Database>> opened = Database::open(path, Database::Mode::create, {});
  if (!opened) return opened.error();
  if (const auto shaped = opened.value()->shape(); !shaped) return shaped.error();
  if (const auto made = opened.value()->run(k_log_tables); !made) return made.error();
  return std::unique_ptr<SharedLog>(std::make_unique<SqliteLog>(std::move(opened).value()));
}

}  // namespace sotto::analyzer
