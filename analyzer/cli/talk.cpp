// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "talk.hpp"

#include <unistd.h>

#include <cstdio>
#include <string>

#include <fmt/format.h>

namespace sotto::cli {

void print_json(const Json& object) { say_lines(json_text(object)); }

int refuse(const analyzer::Error& error, bool json, Exit code, const Json& beside) {
  using analyzer::printable;
  std::string text = "sotto: " + printable(error.what);
  if (!error.value.empty()) text += " (" + printable(error.value) + ")";
  text += "\n";
  if (!error.fix.empty()) text += "  fix:  " + printable(error.fix) + "\n";
  text += "  code: " + std::string(error.code) + "\n";
  complain(text);
  if (json) {
    Json object = {{"error", {{"code", error.code}, {"what", error.what}, {"value", error.value}, {"fix", error.fix}}}};
    object.update(beside);
    print_json(object);
  }
  return code;
}

bool stderr_is_terminal() { return isatty(STDERR_FILENO) == 1; }

Progress::Progress(std::string_view what, std::uint64_t total, bool quiet)
    : what_(what), total_(total), shown_(!quiet && total > 0 && stderr_is_terminal()) {}

Progress::~Progress() { finish(); }

void Progress::finish() {
  if (shown_ && last_percent_ >= 0) (void)std::fputs("\r\x1b[K", stderr);
  last_percent_ = -1;
}

void Progress::at(std::uint64_t done) {
  if (!shown_) return;
  const int percent = static_cast<int>(100.0 * static_cast<double>(done) / static_cast<double>(total_));
  if (percent == last_percent_) return;
  last_percent_ = percent;
  constexpr int k_width = 30;
  const int filled = percent * k_width / 100;
  const std::string line = fmt::format("\r{} {}{} {:3}%", what_, std::string(static_cast<std::size_t>(filled), '#'),
                                       std::string(static_cast<std::size_t>(k_width - filled), '.'), percent);
  (void)std::fputs(line.c_str(), stderr);
  (void)std::fflush(stderr);
}

}  // namespace sotto::cli
