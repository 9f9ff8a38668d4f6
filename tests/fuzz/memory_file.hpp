// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>
#include <span>
#include <string>

#include "fuzz_bytes.hpp"

namespace sotto::fuzz {

/// Bytes under a path, without a disk: what is asked for a file's name is fuzzed as it is.
class MemoryFile {
 public:
  explicit MemoryFile(std::span<const std::uint8_t> bytes) : file_(::memfd_create("fuzz", MFD_CLOEXEC)) {
    must(file_ >= 0);
    must(::write(file_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
    must(::lseek(file_, 0, SEEK_SET) == 0);
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { (void)::close(file_); }
  [[nodiscard]] std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  int file_;
};

}  // namespace sotto::fuzz
