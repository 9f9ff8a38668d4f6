// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>

namespace sotto::cli {

using analyzer::Done;
using analyzer::Error;
using analyzer::Result;
namespace fs = std::filesystem;

Result<std::string> read_file(const std::string& path) {
  std::ostringstream text;
  if (path == "-") {
    text << std::cin.rdbuf();
    return text.str();
  }
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return Error{"io.cannot_read", "this is a directory", path, "name a file"};
  std::ifstream in(path, std::ios::binary);
  if (!in)
    return Error{"io.cannot_read", "cannot read the file: " + std::string(std::strerror(errno)), path,
                 "check its name and rights"};
  text << in.rdbuf();
  if (in.bad()) return Error{"io.cannot_read", "reading stopped half-way", path, "check the disk"};
  return text.str();
}

namespace {

Result<Done> write_beside(const fs::path& path, std::string_view text, fs::perms rights) {
  const fs::path beside = path.string() + ".partial";
  const auto cannot = [&path](const char* what) {
    return Error{"io.cannot_write", fmt::format("{}: {}", what, std::strerror(errno)), path.string(),
                 "check the directory, its rights and the free space"};
  };
  // A new file with its rights from the beginning: nobody can open it before they are set, nor put a link in its place.
  (void)::unlink(beside.c_str());
  const mode_t mode = rights == fs::perms::unknown ? 0666 : static_cast<mode_t>(rights);
  const int file = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
  if (file < 0) return cannot("cannot write the file");
  bool done = true;
  for (std::string_view left = text; done && !left.empty();) {
    const ssize_t n = ::write(file, left.data(), left.size());
    done = n > 0 || (n < 0 && errno == EINTR);
    if (n > 0) left.remove_prefix(static_cast<std::size_t>(n));
  }
  done = done && ::fsync(file) == 0;
  if (::close(file) != 0 || !done) return cannot("cannot write the file");
  std::error_code failed;
  fs::rename(beside, path, failed);
  if (failed)
    return Error{"io.cannot_write", "cannot rename the written file: " + failed.message(), path.string(),
                 "remove what is in the way"};
  return Done{};
}

}  // namespace

Result<Done> write_file(const fs::path& path, std::string_view text) {
  return write_beside(path, text, fs::perms::unknown);
}

Result<Done> write_secret_file(const fs::path& path, std::string_view text) {
  return write_beside(path, text, fs::perms::owner_read | fs::perms::owner_write);
}

Result<Done> make_directory(const fs::path& path) {
  std::error_code failed;
  fs::create_directories(path, failed);
  if (failed || !fs::is_directory(path)) {
    return Error{"io.cannot_write", "cannot make the directory" + (failed ? ": " + failed.message() : std::string()),
                 path.string(), "choose another --out"};
  }
  return Done{};
}

Result<DirectoryLock> DirectoryLock::take(const fs::path& directory) {
  DirectoryLock lock(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (lock.file_ < 0) {
    return Error{"io.cannot_read", fmt::format("cannot open the directory: {}", std::strerror(errno)),
                 directory.string(), "check its name and rights"};
  }
  if (::flock(lock.file_, LOCK_EX | LOCK_NB) == 0) return lock;
  return Error{"store.busy", "another process works in this directory", directory.string(),
               "try again when it is done"};
}

DirectoryLock::~DirectoryLock() {
  if (file_ >= 0) (void)::close(file_);
}

}  // namespace sotto::cli
