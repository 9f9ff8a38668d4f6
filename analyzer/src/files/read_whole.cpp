// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/files/read_whole.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>

namespace sotto::analyzer {
namespace {

constexpr std::size_t k_read_bytes = 1u << 16, k_read_max = 1u << 20;

Error cannot_read(const std::string& name, std::string_view what) {
  return {"io.cannot_read", fmt::format("{}: {}", what, std::strerror(errno)), name, "check its name and permissions"};
}

Result<std::string> read_to_the_end(int file, const std::string& name, std::size_t most) {
  const auto too_large = [&] {
    return Error{"io.too_large", fmt::format("the input has more than {} bytes", most), name,
                 "check that this is the right file"};
  };
  std::string text;
  struct stat info {};
  // One byte more than the file has, so that the end is seen without growing the buffer.
  if (::fstat(file, &info) == 0 && S_ISREG(info.st_mode)) {
    if (static_cast<std::uint64_t>(info.st_size) > most) return too_large();
    text.reserve(static_cast<std::size_t>(info.st_size) + 1);
  }
  for (;;) {
    const std::size_t had = text.size();
    const std::size_t room = text.capacity() - had;
    text.resize(had + (room > 0 ? std::min(room, k_read_max) : k_read_bytes));
    const ssize_t got = ::read(file, text.data() + had, text.size() - had);
    text.resize(had + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got == 0) return text;
    if (text.size() > most) return too_large();
    if (got < 0 && errno != EINTR) {
      Error error = cannot_read(name, fmt::format("reading stopped after {} bytes", had));
      error.fix = "check the disk; nothing of the file was used";
      return error;
    }
  }
}

}  // namespace

Result<std::string> read_whole(const std::filesystem::path& path, std::size_t most) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return cannot_read(path.string(), "cannot read the file");
  struct stat info {};
  if (::fstat(file, &info) == 0 && S_ISDIR(info.st_mode)) {
    (void)::close(file);
    return Error{"io.cannot_read", "this is a directory", path.string(), "name a file"};
  }
  Result<std::string> text = read_to_the_end(file, path.string(), most);
  (void)::close(file);
  return text;
}

Result<std::string> read_whole_stdin(std::size_t most) { return read_to_the_end(STDIN_FILENO, "stdin", most); }

Result<bool> is_there(const std::filesystem::path& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0) return true;
  if (errno == ENOENT || errno == ENOTDIR) return false;
  return cannot_read(path.string(), "cannot determine whether the path exists");
}

}  // namespace sotto::analyzer
