// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "master_key.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

namespace sotto::cli {

using analyzer::Error;
using analyzer::Result;
namespace fs = std::filesystem;

namespace {

class Descriptor {
 public:
  Descriptor(const fs::path& path, int flags, mode_t mode = 0) : fd_(open(path.c_str(), flags | O_CLOEXEC, mode)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  [[nodiscard]] int get() const noexcept { return fd_; }

 private:
  int fd_;
};

Error failed(std::string_view code, std::string_view what, const fs::path& path) {
  return {code, fmt::format("{}: {}", what, std::strerror(errno)), path.string(), "check the directory and its rights"};
}

/// Written beside its place and linked there: a key that is there stays, and nobody sees half of one.
Result<analyzer::Done> place_new_key(const fs::path& path) {
  MasterKey key;
  analyzer::random_bytes(key);
  const HeldKey held(key);
  analyzer::wipe_secret(key);
  const fs::path beside = fmt::format("{}.{}", path.string(), getpid());
  bool written = false;
  {
    const Descriptor file(beside, O_WRONLY | O_CREAT | O_EXCL, S_IRUSR | S_IWUSR);
    written = file.get() >= 0 &&
              write(file.get(), held.get().data(), held.get().size()) == ssize_t{sizeof(MasterKey)} &&
              fsync(file.get()) == 0;
  }
  const bool linked = written && (link(beside.c_str(), path.c_str()) == 0 || errno == EEXIST);
  const Error error = linked ? Error{} : failed("io.cannot_write", "cannot write the master key", path);
  unlink(beside.c_str());
  if (!linked) return error;
  return analyzer::Done{};
}

}  // namespace

Result<std::optional<HeldKey>> load_master_key(const fs::path& directory) {
  const fs::path path = directory / "master.key";
  const Descriptor file(path, O_RDONLY);
  if (file.get() < 0 && errno == ENOENT) return std::optional<HeldKey>();
  struct stat facts {};
  if (file.get() < 0 || fstat(file.get(), &facts) != 0)
    return failed("io.cannot_read", "cannot read the master key", path);
  if ((facts.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return Error{"key.exposed", "others than its owner may read the master key", path.string(),
                 fmt::format("chmod 600 {}, and think about who may have read it", path.string())};
  }
  MasterKey key{};
  if (facts.st_size != off_t{sizeof(MasterKey)} ||
      read(file.get(), key.data(), key.size()) != ssize_t{sizeof(MasterKey)}) {
    return Error{"key.bad_size", "a master key has 32 bytes", fmt::format("{}: {} bytes", path.string(), facts.st_size),
                 "put the right file back; without it the reports of this study cannot be opened"};
  }
  const HeldKey held(key);
  analyzer::wipe_secret(key);
  return std::optional(held);
}

Result<HeldKey> load_or_draw_master_key(const fs::path& directory) {
  for (int attempt = 0; attempt < 2; ++attempt) {
    Result<std::optional<HeldKey>> loaded = load_master_key(directory);
    if (!loaded) return loaded.error();
    if (loaded.value()) return *loaded.value();
    if (const auto placed = place_new_key(directory / "master.key"); !placed) return placed.error();
  }
  return failed("io.cannot_read", "cannot read the master key that was just written", directory / "master.key");
}

}  // namespace sotto::cli
