// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/files/replaced_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace sotto::analyzer {
namespace {

/// Names of the files being written, in a form that a signal handler may read.
struct UnfinishedFile {
  enum State : int { unused, naming, named };
  std::atomic<int> state{unused};
  std::array<char, PATH_MAX> name{};
};
static_assert(std::atomic<int>::is_always_lock_free);
std::array<UnfinishedFile, 8> unfinished_files;

/// Enters a name into the list; -1 if the list is full, in which case an interrupted process leaves its partial file
/// for the next writer to remove.
int note_unfinished(const std::filesystem::path& path) {
  if (path.native().size() >= PATH_MAX) return -1;
  for (std::size_t i = 0; i < unfinished_files.size(); ++i) {
    UnfinishedFile& file = unfinished_files[i];
    int expected = UnfinishedFile::unused;
    if (!file.state.compare_exchange_strong(expected, UnfinishedFile::naming)) continue;
    std::strcpy(file.name.data(), path.c_str());
    file.state = UnfinishedFile::named;
    return static_cast<int>(i);
  }
  return -1;
}

Error cannot_write(const std::filesystem::path& path, std::string_view what) {
  return {"io.cannot_write", fmt::format("{}: {}", what, std::strerror(errno)), path.string(),
          "check the directory, its permissions and the free space"};
}

/// Renaming over a device, a link or a pipe would take it away from its users.
Result<Done> may_be_replaced(const std::filesystem::path& path) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) {
    if (errno == ENOENT) return Done{};
    return cannot_write(path, "cannot write the file");
  }
  if (S_ISREG(info.st_mode)) return Done{};
  const std::string_view kind = S_ISDIR(info.st_mode)   ? "a directory"
                                : S_ISLNK(info.st_mode) ? "a link"
                                                        : "a device, a pipe or a socket";
  return Error{"io.cannot_write", fmt::format("the path is {}, and only a file is replaced", kind), path.string(),
               "name a file, or a path that does not exist yet"};
}

void lock_and_wait(int file) {
  while (::flock(file, LOCK_EX) != 0 && errno == EINTR) {
  }
}

/// Whether the open file is still the one under this name.
bool stands_at(int file, const std::filesystem::path& path) {
  struct stat open {
  }, named{};
  return ::fstat(file, &open) == 0 && ::lstat(path.c_str(), &named) == 0 && open.st_dev == named.st_dev &&
         open.st_ino == named.st_ino;
}

/// Waits for the writer of the partial file, and removes the file once nobody writes it any more. False on failure,
/// with the reason in errno.
bool clear_away(const std::filesystem::path& beside) {
  const int file = ::open(beside.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return errno == ENOENT || (errno == ELOOP && ::unlink(beside.c_str()) == 0);
  lock_and_wait(file);
  // Only the holder of its lock renames or removes the file: if it still has its name, its writer was interrupted.
  const bool cleared = !stands_at(file, beside) || ::unlink(beside.c_str()) == 0;
  const int why = errno;
  (void)::close(file);
  errno = why;
  return cleared;
}

/// Syncs the directory entry, as far as the file system can. A failure is no reason to refuse a file that is written.
void sync_directory(const std::filesystem::path& path) {
  const std::filesystem::path parent = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  const int directory = ::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return;
  (void)::fsync(directory);
  (void)::close(directory);
}

}  // namespace

ReplacedFile::ReplacedFile(std::filesystem::path path, std::filesystem::path beside, int file)
    : path_(std::move(path)), beside_(std::move(beside)), file_(file), slot_(note_unfinished(beside_)) {}

ReplacedFile::ReplacedFile(ReplacedFile&& other) noexcept
    : path_(std::move(other.path_)),
      beside_(std::move(other.beside_)),
      file_(std::exchange(other.file_, -1)),
      slot_(std::exchange(other.slot_, -1)) {}

ReplacedFile::~ReplacedFile() {
  if (file_ < 0) return;
  (void)::unlink(beside_.c_str());
  drop();
}

void ReplacedFile::drop() noexcept {
  if (slot_ >= 0) unfinished_files[static_cast<std::size_t>(std::exchange(slot_, -1))].state = UnfinishedFile::unused;
  (void)::close(std::exchange(file_, -1));
}

Error ReplacedFile::failed(std::string_view what) const { return cannot_write(path_, what); }

Result<ReplacedFile> ReplacedFile::begin(const std::filesystem::path& path, Readers readers) {
  if (const auto may = may_be_replaced(path); !may) return may.error();
  std::filesystem::path beside = path;
  beside += ".partial";
  // A new file that has its permissions from the start: nobody can open it before they are set, nor put a link in its
  // place.
  const mode_t rights = readers == Readers::owner ? S_IRUSR | S_IWUSR : 0666;
  for (;;) {
    const int file = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, rights);
    if (file < 0) {
      if (errno != EEXIST || !clear_away(beside)) return cannot_write(path, "cannot write the file");
      continue;
    }
    lock_and_wait(file);
    // Another process may have removed it as a left-over before it was locked.
    if (stands_at(file, beside)) return ReplacedFile(path, std::move(beside), file);
    (void)::close(file);
  }
}

Result<Done> ReplacedFile::write(std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(file_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return failed("cannot write the file");
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  return Done{};
}

Result<Done> ReplacedFile::write(std::string_view text) {
  return write(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
}

Result<Done> ReplacedFile::commit() {
  if (::fsync(file_) != 0) return failed("cannot write the file");
  if (const auto may = may_be_replaced(path_); !may) return may.error();
  if (::rename(beside_.c_str(), path_.c_str()) != 0) return failed("cannot rename the written file");
  sync_directory(path_);
  drop();
  return Done{};
}

Result<bool> ReplacedFile::commit_new() {
  if (::fsync(file_) != 0) return failed("cannot write the file");
  const bool is_new = ::link(beside_.c_str(), path_.c_str()) == 0;
  if (!is_new && errno != EEXIST) return failed("cannot name the written file");
  (void)::unlink(beside_.c_str());
  sync_directory(path_);
  drop();
  return is_new;
}

Result<Done> replace_file(const std::filesystem::path& path, std::string_view text, Readers readers) {
  Result<ReplacedFile> file = ReplacedFile::begin(path, readers);
  if (!file) return file.error();
  if (const auto written = file.value().write(text); !written) return written.error();
  return file.value().commit();
}

void remove_unfinished_files() noexcept {
  for (UnfinishedFile& file : unfinished_files) {
    if (file.state == UnfinishedFile::named) (void)::unlink(file.name.data());
  }
}

}  // namespace sotto::analyzer
