// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The log on NATS JetStream: a stream for each partition, a bucket of keys. Built where libnats is found.

#include <memory>
#include <string>
#include <vector>

#include "sotto/analyzer/log/shared_log.hpp"

namespace sotto::analyzer {

struct JetStreamOptions {
  std::vector<std::string> servers;  ///< nats://HOST:PORT, or tls://HOST:PORT
  std::uint32_t replicas = 3;        ///< of the bucket of keys
  std::string credentials;           ///< file of a user and its password, "USER:PASSWORD"; empty: none
  std::string authority;             ///< certificates that the brokers' are signed by; empty: the system's
};

/// Connects, and makes the bucket of the run where it is missing. Brokers that come and go later are followed.
/// Refuses   log.unreachable: which nodes do not answer; log.other_version; log.no_jetstream; log.other_settings.
[[nodiscard]] Result<std::unique_ptr<SharedLog>> open_jetstream_log(const JetStreamOptions& options, const LogRun& run);

}  // namespace sotto::analyzer
