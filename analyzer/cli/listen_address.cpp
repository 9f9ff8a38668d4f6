// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "listen_address.hpp"

#include <charconv>
#include <csignal>

namespace sotto::cli {

using analyzer::Error;
using analyzer::Result;

Result<std::pair<std::string, std::uint16_t>> read_listen(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  std::string address = text.substr(0, std::min(colon, text.size()));
  if (address.size() > 2 && address.front() == '[' && address.back() == ']')
    address = address.substr(1, address.size() - 2);
  std::uint16_t port = 0;
  const std::string_view digits = colon == std::string::npos ? "" : std::string_view(text).substr(colon + 1);
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (digits.empty() || status != std::errc() || end != digits.data() + digits.size() || address.empty())
    return Error{"usage", "--listen is ADDRESS:PORT", text, "write 127.0.0.1:8080"};
  return std::pair(address, port);
}

void outlive_full_disks() {
  (void)std::signal(SIGXFSZ, SIG_IGN);
  (void)std::signal(SIGPIPE, SIG_IGN);
}

}  // namespace sotto::cli
