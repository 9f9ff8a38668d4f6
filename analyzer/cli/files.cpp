// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "files.hpp"

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

Result<Done> write_file(const fs::path& path, std::string_view text) {
  const fs::path beside = path.string() + ".partial";
  {
    std::ofstream out(beside, std::ios::binary | std::ios::trunc);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    out.close();
    if (!out) {
      return Error{"io.cannot_write", "cannot write the file: " + std::string(std::strerror(errno)), path.string(),
                   "check the directory, its rights and the free space"};
    }
  }
  std::error_code failed;
  fs::rename(beside, path, failed);
  if (failed)
    return Error{"io.cannot_write", "cannot rename the written file: " + failed.message(), path.string(),
                 "remove what is in the way"};
  return Done{};
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

}  // namespace sotto::cli
