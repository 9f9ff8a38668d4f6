// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "message.hpp"
#include "sotto/analyzer/result.hpp"

// HTTP/1.1 by Boost.Beast: limits of size, time and number around a handler.
namespace sotto::analyzer {

struct ListenOptions {
  std::string address;  ///< numeric
  std::uint16_t port = 0;
  std::string certificate, key;  ///< PEM files; empty: no TLS
};

/// Refuses   serve.needs_tls: other machines reach the address, and there is no certificate.
[[nodiscard]] Result<Done> is_safe(const ListenOptions& options);
/// How clients name the server, once it has a port.
[[nodiscard]] std::string url_of(const ListenOptions& options, std::uint16_t port);

/// What the server counts about itself.
struct HttpCounts {
  std::atomic<std::uint64_t> connections{0}, refused_connections{0}, requests{0}, bad_requests{0};
};

class HttpServer {
 public:
  /// Takes the address and reads the certificate. Nobody can connect before listen().
  /// Refuses   serve.cannot_listen; serve.bad_certificate.
  [[nodiscard]] static Result<std::unique_ptr<HttpServer>> open(const ListenOptions& options, HttpCounts& counts);
  virtual ~HttpServer() = default;
  /// The port that it listens on, also where 0 was asked for.
  [[nodiscard]] virtual std::uint16_t port() const = 0;
  /// From now on connections wait for run().
  /// Refuses   serve.cannot_listen.
  [[nodiscard]] virtual Result<Done> listen() = 0;
  /// Serves until SIGTERM or SIGINT, then calls `last`, which answers what waits, and lets the answers leave.
  virtual void run(Handler handler, const std::function<void()>& last) = 0;
};

}  // namespace sotto::analyzer
