// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Any text as a file of credentials, and files of the fuzzer's numbers that are then damaged: refused with the line, or lines that
// are written as they were read.
#include "analyzer/cli/credentials.hpp"

#include "fuzz_bytes.hpp"

using namespace sotto;
using namespace sotto::fuzz;

namespace {

std::string made_file(Taker& take) {
  std::string text(cli::k_credentials_head);
  for (int lines = take.u8() % 4; lines > 0; --lines) {
    std::string id;
    for (int letters = take.u8() % 5; letters > 0; --letters) id += static_cast<char>('a' + take.u8() % 26);
    text += cli::credential_line(id, take.u64(), std::string(64, "0123456789abcdef"[take.u8() % 16]));
  }
  std::vector<std::uint8_t> bytes(text.begin(), text.end());
  damage(take, bytes);
  return {bytes.begin(), bytes.end()};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Taker take({data, size});
  const std::string text = take.flag() ? made_file(take) : std::string(text_of(take.rest()));
  std::string again(cli::k_credentials_head);
  const auto read =
      cli::each_credential(text, "fuzz", "fuzz.foreign",
                           [&](const cli::Credential& c, std::size_t line) -> analyzer::Result<analyzer::Done> {
                             must(line >= 2 && c.key.size() == 64 && c.id.find('\n') == std::string::npos);
                             again += cli::credential_line(c.id, c.pseudonym, c.key);
                             return analyzer::Done{};
                           });
  // Up to the last line's end, which may be missing, and to digits in capital letters, which are read as well.
  if (read && read.value()) must(again.size() == text.size() + (text.ends_with('\n') ? 0 : 1));
  return 0;
}
