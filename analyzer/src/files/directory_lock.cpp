// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/files/directory_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

namespace sotto::analyzer {

Result<DirectoryLock> DirectoryLock::take(const std::filesystem::path& directory) {
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

}  // namespace sotto::analyzer
