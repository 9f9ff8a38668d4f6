// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <string>

#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer {

struct BrokerAddress {
  std::string host;
  std::uint16_t port = 0;
  bool is_encrypted = false;
  [[nodiscard]] bool is_of_this_machine() const;
};

/// Reads mqtt://HOST[:PORT] or mqtts://HOST[:PORT]; an IPv6 address is in brackets.
/// Refuses   mqtt.address; mqtt.needs_tls.
[[nodiscard]] Result<BrokerAddress> read_broker_address(const std::string& text);

}  // namespace sotto::analyzer
