// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// `sotto serve`: collects the reports of several studies over HTTP, runs their rounds, and shows what happens.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sotto/analyzer/mqtt/gateway.hpp"
#include "sotto/analyzer/serve/served_study.hpp"
#include "sotto/sha256.hpp"

namespace sotto::analyzer {

struct ServerOptions {
  std::string address = "127.0.0.1";  ///< numeric; one that is not of this machine alone needs a certificate
  std::uint16_t port = 0;             ///< 0: any free one
  std::string certificate, key;       ///< PEM files
  Digest operator_hash{};             ///< SHA-256 of the operator's token
  std::optional<MqttOptions> mqtt;    ///< a broker that brings reports, too
  std::function<void(const std::string& address)> ready;  ///< called once, when devices can connect
  std::function<void(std::string_view line)> log;         ///< JSON lines without addresses
};

/// Serves until SIGTERM or SIGINT; what was acknowledged is on the disk at any time.
/// Refuses   serve.needs_tls; serve.cannot_listen; serve.bad_certificate; mqtt.*; what the studies' stores refuse.
[[nodiscard]] Result<Done> serve(std::vector<ServedStudy> studies, const ServerOptions& options);

}  // namespace sotto::analyzer
