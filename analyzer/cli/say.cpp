// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "say.hpp"

#include <cerrno>
#include <cstdio>
#include <system_error>

namespace sotto::cli {

void say_lines(std::string_view text) {
  const std::string shown = analyzer::printable_lines(text);
  if (std::fwrite(shown.data(), 1, shown.size(), stdout) != shown.size())
    throw std::system_error(errno, std::generic_category(), "cannot write to stdout");
}

void complain(std::string_view text) noexcept {
  try {
    const std::string shown = analyzer::printable_lines(text);
    (void)std::fwrite(shown.data(), 1, shown.size(), stderr);
    (void)std::fflush(stderr);
  } catch (...) {  // no memory for the message: the exit code still tells the outcome
  }
}

void tell_notes(const std::vector<std::string>& notes, const std::vector<std::string>& warnings) {
  for (const std::string& note : notes) complain("sotto: note: " + analyzer::printable(note) + "\n");
  for (const std::string& warning : warnings) complain("sotto: warning: " + analyzer::printable(warning) + "\n");
}

bool stdout_arrived() noexcept { return std::fflush(stdout) == 0 && std::ferror(stdout) == 0; }

}  // namespace sotto::cli
