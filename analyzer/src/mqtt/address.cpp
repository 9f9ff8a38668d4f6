// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "address.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace sotto::analyzer {
namespace {

constexpr std::string_view k_plain = "mqtt://", k_encrypted = "mqtts://";
constexpr std::uint16_t k_plain_port = 1883, k_encrypted_port = 8883;

Error no_address(const std::string& text, std::string what) {
  return {"mqtt.address", std::move(what), text, "write mqtt://127.0.0.1:1883 or mqtts://broker.example:8883"};
}

}  // namespace

bool BrokerAddress::is_of_this_machine() const {
  const bool is_number = host.find_first_not_of("0123456789.") == std::string::npos;
  return host == "localhost" || host == "::1" || (is_number && host.starts_with("127."));
}

Result<BrokerAddress> read_broker_address(const std::string& text) {
  BrokerAddress out;
  out.is_encrypted = text.starts_with(k_encrypted);
  if (!out.is_encrypted && !text.starts_with(k_plain))
    return no_address(text, "a broker's address begins with mqtt:// or mqtts://");
  std::string_view rest = std::string_view(text).substr(out.is_encrypted ? k_encrypted.size() : k_plain.size());
  // Whoever lists the processes of a machine reads their arguments.
  if (rest.find('@') != std::string_view::npos)
    return no_address("", "the broker's address holds a user; users and passwords are named in a file");
  const std::size_t bracket = rest.starts_with("[") ? rest.find(']') : std::string_view::npos;
  const std::size_t colon = rest.find(':', bracket == std::string_view::npos ? 0 : bracket);
  out.host = rest.substr(0, std::min(colon, rest.size()));
  if (bracket != std::string_view::npos && out.host.size() >= 2) out.host = out.host.substr(1, out.host.size() - 2);
  out.port = out.is_encrypted ? k_encrypted_port : k_plain_port;
  if (colon != std::string_view::npos) {
    const std::string_view digits = rest.substr(colon + 1);
    const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), out.port);
    if (status != std::errc() || end != digits.data() + digits.size() || out.port == 0)
      return no_address(text, "the broker's port is no number from 1 to 65535");
  }
  if (out.host.empty() || out.host.find_first_of("/[]") != std::string::npos)
    return no_address(text, "the broker's address is a host and a port, and nothing behind");
  if (!out.is_encrypted && !out.is_of_this_machine()) {
    return Error{"mqtt.needs_tls", "a broker on another machine needs TLS", text,
                 "write mqtts://, or use a broker on this machine that speaks TLS to devices"};
  }
  return out;
}

}  // namespace sotto::analyzer
