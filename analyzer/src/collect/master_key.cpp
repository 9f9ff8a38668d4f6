// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/collect/master_key.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "sotto/analyzer/data/design_file.hpp"
#include "sotto/analyzer/files/read_whole.hpp"
#include "sotto/analyzer/files/replaced_file.hpp"
#include "sotto/analyzer/store/run_store.hpp"
#include "sotto/sha256.hpp"

namespace sotto::analyzer {

namespace fs = std::filesystem;

namespace {

class Descriptor {
 public:
  Descriptor(const fs::path& path, int flags) : fd_(open(path.c_str(), flags | O_CLOEXEC)) {}
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

using StoredKey = std::array<std::uint8_t, k_key_file_bytes>;

/// Stores a check after the key, so that a damaged key is distinguished from forged reports. It reveals nothing that
/// helps to find the key.
void put_check(StoredKey& stored) {
  constexpr std::string_view k_label = "sotto-master-key-check";
  Sha256 hash;
  hash.add({reinterpret_cast<const std::uint8_t*>(k_label.data()), k_label.size()});
  hash.add(std::span(stored).first<sizeof(MasterKey)>());
  Digest digest;
  hash.finish(digest);
  std::copy_n(digest.begin(), stored.size() - sizeof(MasterKey), stored.begin() + sizeof(MasterKey));
}

/// Writes a new key; an existing one stays, and nobody sees half of one.
Result<Done> place_new_key(const fs::path& path) {
  Result<ReplacedFile> file = ReplacedFile::begin(path, Readers::owner);
  if (!file) return file.error();
  StoredKey stored{};
  random_bytes(std::span(stored).first<sizeof(MasterKey)>());
  put_check(stored);
  const Result<Done> written = file.value().write(stored);
  wipe_secret(stored);
  if (!written) return written.error();
  const Result<bool> placed = file.value().commit_new();
  if (!placed) return placed.error();
  return Done{};
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
    return Error{"key.exposed", "other users may read the master key", path.string(),
                 fmt::format("chmod 600 {}, and consider who may have read it", path.string())};
  }
  StoredKey stored{};
  const auto size = static_cast<std::size_t>(facts.st_size);
  if (size != k_key_file_bytes && size != sizeof(MasterKey)) {
    return Error{"key.bad_size", fmt::format("the file of a master key has {} bytes", k_key_file_bytes),
                 fmt::format("{}: {} bytes", path.string(), facts.st_size),
                 "put the right file back; without it the reports of this study cannot be opened"};
  }
  if (read(file.get(), stored.data(), size) != facts.st_size) {
    const Error error = failed("io.cannot_read", "cannot read the master key", path);
    wipe_secret(stored);
    return error;
  }
  StoredKey checked = stored;
  put_check(checked);
  const bool is_whole = size == sizeof(MasterKey) || checked == stored;
  MasterKey key;
  std::copy_n(stored.begin(), key.size(), key.begin());
  const HeldKey held(key);
  wipe_secret(key);
  wipe_secret(stored);
  wipe_secret(checked);
  if (!is_whole) {
    return Error{"key.damaged", "the master key is not as it was written: its check differs", path.string(),
                 "put the file back from a copy; every report would be refused as forged with this one"};
  }
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

Result<Done> no_key_was_lost(const fs::path& directory, const fs::path& collected) {
  std::vector<fs::path> made{directory / k_run_store_name, directory / k_design_name};
  if (!collected.empty()) made.push_back(collected / k_run_store_name);
  for (const fs::path& path : made) {
    const Result<bool> there = is_there(path);
    if (!there) return there.error();
    if (!there.value()) continue;
    return Error{"enrol.key_lost",
                 fmt::format("the study has {} and no master key: it was lost", path.filename().string()),
                 (directory / "master.key").string(), "restore the key that the credentials were issued with"};
  }
  return Done{};
}

}  // namespace sotto::analyzer
