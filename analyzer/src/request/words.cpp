// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "words.hpp"

namespace sotto::analyzer::request {

Result<Done> parse_words(CLI::App& app, std::span<const std::string> words) {
  std::vector<std::string> reversed(words.rbegin(), words.rend());  // as CLI11 takes them
  try {
    app.parse(reversed);
  } catch (const CLI::ParseError& error) {
    return Error{"usage", error.what(), "", "see the documentation of this option"};
  }
  return Done{};
}

}  // namespace sotto::analyzer::request
