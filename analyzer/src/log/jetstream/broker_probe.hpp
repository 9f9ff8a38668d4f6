// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <string>
#include <vector>

#include "sotto/analyzer/log/shared_log.hpp"
#include "sotto/analyzer/result.hpp"

// What a broker says of itself before anybody logs in: the first line of every NATS connection.
namespace sotto::analyzer {

struct Broker : LogNode {
  bool has_jetstream = false;
  std::uint64_t max_payload = 0;
};

/// Asks each server; one that does not answer within two seconds is not reached.
[[nodiscard]] std::vector<Broker> probe_brokers(const std::vector<std::string>& servers);
/// Refuses   log.unreachable: no server answers; log.other_version; log.no_jetstream; log.other_settings.
[[nodiscard]] Result<Done> check_brokers(const std::vector<Broker>& brokers);
/// What must be known of these brokers' promise.
[[nodiscard]] std::string broker_warning(const std::vector<Broker>& brokers);

}  // namespace sotto::analyzer
