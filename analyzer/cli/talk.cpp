// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "talk.hpp"

#include <unistd.h>

#include <cstdio>
#include <string>

#include <fmt/format.h>

namespace sotto::cli {

void complain(std::string_view text) noexcept {
  (void)std::fwrite(text.data(), 1, text.size(), stderr);
  (void)std::fflush(stderr);
}

bool stdout_arrived() noexcept { return std::fflush(stdout) == 0 && std::ferror(stdout) == 0; }

void print_json(const Json& object) { fmt::print("{}\n", object.dump(2)); }

int refuse(const analyzer::Error& error, bool json, Exit code, const Json& beside) {
  std::string text = "sotto: " + error.what;
  if (!error.value.empty()) text += " (" + error.value + ")";
  text += "\n";
  if (!error.fix.empty()) text += "  fix:  " + error.fix + "\n";
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
  if (shown_ && last_percent_ >= 0) complain("\r\x1b[K");
  last_percent_ = -1;
}

void Progress::at(std::uint64_t done) {
  if (!shown_) return;
  const int percent = static_cast<int>(100.0 * static_cast<double>(done) / static_cast<double>(total_));
  if (percent == last_percent_) return;
  last_percent_ = percent;
  constexpr int k_width = 30;
  const int filled = percent * k_width / 100;
  complain(fmt::format("\r{} {}{} {:3}%", what_, std::string(static_cast<std::size_t>(filled), '#'),
                       std::string(static_cast<std::size_t>(k_width - filled), '.'), percent));
}

}  // namespace sotto::cli
