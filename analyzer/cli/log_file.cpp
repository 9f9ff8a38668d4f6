// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "log_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "files.hpp"
#include "sotto/analyzer/channel/describe.hpp"

namespace sotto::cli {

using analyzer::AskedLog;
using analyzer::Done;
using analyzer::Error;
using analyzer::Result;
namespace fs = std::filesystem;

namespace {

Error log_trouble(std::string_view code, std::string_view what, const fs::path& path) {
  return {code, fmt::format("{}: {}", what, std::strerror(errno)), path.string(),
          "check the directory, its rights and the free space"};
}

/// Opened, and locked against every other process that asks. A file: what a device gives when it is read has no end.
int open_locked(const fs::path& path, int flags, int lock = LOCK_EX) {
  const int file = ::open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK, 0644);
  if (file < 0) return file;
  struct stat facts {};
  if (::fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode)) {
    ::close(file);
    errno = EINVAL;
    return -1;
  }
  while (::flock(file, lock) != 0) {
    if (errno == EINTR) continue;
    const int why = errno;
    ::close(file);
    errno = why;
    return -1;
  }
  return file;
}

Result<std::string> whole_text(int file, const fs::path& path) {
  std::string text;
  char piece[65536];
  if (::lseek(file, 0, SEEK_SET) < 0) return log_trouble("io.cannot_read", "cannot read the log", path);
  for (;;) {
    const ssize_t n = ::read(file, piece, sizeof piece);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return log_trouble("io.cannot_read", "cannot read the log", path);
    if (n == 0) return text;
    text.append(piece, static_cast<std::size_t>(n));
  }
}

/// Syncs the directory, without which a new name may be lost.
bool sync_directory(const fs::path& path) {
  const fs::path parent = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const int directory = ::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool synced = directory >= 0 && ::fsync(directory) == 0;
  if (directory >= 0) ::close(directory);
  return synced;
}

Error damaged(const AskedLog& log, const fs::path& path) {
  const analyzer::LogFault& fault = log.faults.front();
  if (log.torn && log.faults.size() == 1) {
    return {"log.torn", fmt::format("{}:{}: the last line is cut off", path.string(), fault.line), "",
            fmt::format("sotto log repair {} takes it out; sign its study again", path.string())};
  }
  return {"log.damaged", fmt::format("{}:{}: {}", path.string(), fault.line, fault.what), "",
          fmt::format("put back a copy that sotto log verify {} accepts", path.string())};
}

}  // namespace

LogFile::~LogFile() {
  if (file_ >= 0) ::close(file_);
}

Result<LogFile> LogFile::open(const fs::path& path, const analyzer::IssuerKey& key, Wait wait) {
  LogFile out(path, open_locked(path, O_RDWR | O_CREAT | O_APPEND, wait == Wait::yes ? LOCK_EX : LOCK_EX | LOCK_NB));
  if (out.file_ < 0 && errno == EWOULDBLOCK)
    return Error{"store.busy", "another process works with this log", path.string(), "try again when it is done"};
  if (out.file_ < 0) return log_trouble("io.cannot_write", "cannot open the log", path);
  const Result<std::string> text = whole_text(out.file_, path);
  if (!text) return text.error();
  if (text.value().empty()) {
    const std::string first = analyzer::first_log_line(key);
    if (const auto written = out.write(first); !written) return written.error();
    if (!sync_directory(path)) return log_trouble("io.cannot_write", "cannot write the directory of the log", path);
    out.log_ = analyzer::read_asked_log(first);
    return out;
  }
  out.log_ = analyzer::read_asked_log(text.value());
  if (!out.log_.faults.empty()) return damaged(out.log_, path);
  if (out.log_.key != key) {
    return Error{"log.other_key", "this log belongs to another key",
                 fmt::format("{}: {}", path.string(), analyzer::hex_text(out.log_.key)),
                 "name this key's log, or a new one, with --log"};
  }
  return out;
}

Result<Done> LogFile::write(const std::string& text) {
  const off_t before = ::lseek(file_, 0, SEEK_END);
  const ssize_t n = before < 0 ? -1 : ::write(file_, text.data(), text.size());
  if (n == static_cast<ssize_t>(text.size()) && ::fsync(file_) == 0) return Done{};
  if (n >= 0 && n < static_cast<ssize_t>(text.size())) errno = ENOSPC;
  const Error error = log_trouble("io.cannot_write", "cannot write the log", path_);
  if (before >= 0 && ::ftruncate(file_, before) == 0)
    (void)::fsync(file_);  // if this fails, an incomplete line is left
  return error;
}

Result<Done> LogFile::append(analyzer::AskedEntry entry, const analyzer::SigningKey& key) {
  const std::string line = analyzer::log_line(entry, log_.lines, log_.head, key);
  if (const auto written = write(line); !written) return written.error();
  log_.head = entry.hash;
  ++log_.lines;
  log_.whole_bytes += line.size();
  log_.entries.push_back(std::move(entry));
  return Done{};
}

Result<std::size_t> repair_log(const fs::path& path) {
  const int file = open_locked(path, O_RDWR);
  if (file < 0) return log_trouble("io.cannot_read", "cannot open the log", path);
  const auto closed = [file](Result<std::size_t> result) {
    ::close(file);
    return result;
  };
  const Result<std::string> text = whole_text(file, path);
  if (!text) return closed(text.error());
  const AskedLog log = analyzer::read_asked_log(text.value());
  if (!log.torn) return closed(log.faults.empty() ? Result<std::size_t>(0) : damaged(log, path));
  if (log.faults.size() > 1) return closed(damaged(log, path));
  const std::string tail = text.value().substr(log.whole_bytes);
  const fs::path kept = path.string() + ".torn";
  if (fs::exists(kept)) {
    return closed(
        Error{"log.torn", "the line that an earlier repair removed is still here", kept.string(), "move it away"});
  }
  if (const auto written = write_file(kept, tail); !written) return closed(written.error());
  if (::ftruncate(file, static_cast<off_t>(log.whole_bytes)) != 0 || ::fsync(file) != 0)
    return closed(log_trouble("io.cannot_write", "cannot shorten the log", path));
  return closed(tail.size());
}

}  // namespace sotto::cli
