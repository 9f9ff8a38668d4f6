// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>

#include "sotto/analyzer/files/read_whole.hpp"
#include "sotto/analyzer/files/replaced_file.hpp"

namespace sotto::cli {

using analyzer::Done;
using analyzer::Error;
using analyzer::Result;
namespace fs = std::filesystem;

Result<std::string> read_file(const std::string& path, std::size_t most) {
  return path == "-" ? analyzer::read_whole_stdin(most) : analyzer::read_whole(path, most);
}

Result<Done> write_file(const fs::path& path, std::string_view text) { return analyzer::replace_file(path, text); }

Result<Done> make_directory(const fs::path& path) {
  std::error_code failed;
  fs::create_directories(path, failed);
  if (failed || !fs::is_directory(path, failed)) {
    return Error{"io.cannot_write", "cannot make the directory" + (failed ? ": " + failed.message() : std::string()),
                 path.string(), "choose another --out"};
  }
  return Done{};
}

Result<DirectoryLock> DirectoryLock::take(const fs::path& directory) {
  DirectoryLock lock(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (lock.file_ < 0) {
    return Error{"io.cannot_read", fmt::format("cannot open the directory: {}", std::strerror(errno)),
                 directory.string(), "check its name and permissions"};
  }
  if (::flock(lock.file_, LOCK_EX | LOCK_NB) == 0) return lock;
  return Error{"store.busy", "another process works in this directory", directory.string(),
               "try again when it has ended"};
}

DirectoryLock::~DirectoryLock() {
  if (file_ >= 0) (void)::close(file_);
}

}  // namespace sotto::cli
