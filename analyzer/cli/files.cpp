// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "files.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>

#include "interrupt.hpp"
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

Result<Done> write_with_page(const fs::path& path, std::string_view text, const fs::path& page, std::string_view html,
                             const char* told) {
  Result<analyzer::ReplacedFile> new_text = analyzer::ReplacedFile::begin(path);
  if (!new_text) return new_text.error();
  Result<analyzer::ReplacedFile> new_page = analyzer::ReplacedFile::begin(page);
  if (!new_page) return new_page.error();
  if (const auto written = new_text.value().write(text); !written) return written.error();
  if (const auto written = new_page.value().write(html); !written) return written.error();
  const HeldInterrupts held;
  const Result<bool> exists = analyzer::is_there(path);
  if (!exists) return exists.error();
  const Result<std::string> before = exists.value() ? analyzer::read_whole(path) : Result<std::string>(std::string());
  // The same text again, as when a finished run is looked at: its page is right until the new one is there.
  if (!before || before.value() != text) {
    if (::unlink(page.c_str()) != 0 && errno != ENOENT) {
      return Error{"io.cannot_write", fmt::format("cannot replace the page: {}", std::strerror(errno)), page.string(),
                   "check the directory and its rights"};
    }
  }
  if (const auto named = new_text.value().commit(); !named) return named.error();
  Interrupt::tell_at_end(told);
  const auto named = new_page.value().commit();
  if (named) return named;
  Error error = named.error();
  error.what += fmt::format("; {} is the new one, and has no page", path.filename().string());
  return error;
}

Result<Done> make_directory(const fs::path& path) {
  std::error_code failed;
  fs::create_directories(path, failed);
  if (failed || !fs::is_directory(path, failed)) {
    return Error{"io.cannot_write", "cannot make the directory" + (failed ? ": " + failed.message() : std::string()),
                 path.string(), "choose another --out"};
  }
  return Done{};
}

}  // namespace sotto::cli
