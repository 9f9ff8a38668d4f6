// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <fmt/format.h>

#include "http_server.hpp"

namespace sotto::analyzer {

Result<Done> is_safe(const ListenOptions& options) {
  const bool is_loopback = options.address.starts_with("127.") || options.address == "::1";
  if (is_loopback || !options.certificate.empty()) return Done{};
  return Error{"serve.needs_tls", "an address that other machines reach needs TLS", options.address,
               "add --tls-cert and --tls-key, or listen on 127.0.0.1 behind a proxy that has them"};
}

std::string url_of(const ListenOptions& options, std::uint16_t port) {
  return fmt::format("{}://{}:{}", options.certificate.empty() ? "http" : "https",
                     options.address.find(':') == std::string::npos ? options.address : "[" + options.address + "]",
                     port);
}

}  // namespace sotto::analyzer
