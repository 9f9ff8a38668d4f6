// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/cluster/sizing.hpp"

#include <algorithm>
#include <cmath>

namespace sotto::analyzer {
namespace {

constexpr double k_day = 86400;
// Processor time in seconds, of one core of the machine that docs/FLEET.md names.
constexpr double k_new_connection = 1 / 2600.0;  // TLS 1.3, a connection for each request
constexpr double k_request = 1 / 69000.0;        // HTTP, one report
constexpr double k_gateway_report = 0.4e-6;      // splitting and sorting, beside the request
constexpr double k_worker_report = 1.2e-6;       // HMAC, ChaCha20-Poly1305, index, SQLite
constexpr double k_reading_bytes = 30, k_partition_readings = 16e6;
constexpr double k_entry_reports_max = 65536;
// An append takes some two milliseconds, and what comes meanwhile goes into the next one.
constexpr double k_append_seconds = 2e-3;

}  // namespace

FleetSize size_of(const FleetLoad& load) {
  FleetSize out;
  const double report = load.report_bytes + k_length_bytes;
  out.mean_per_second = load.reports_a_day / k_day;
  out.peak_per_second = out.mean_per_second * load.peak;
  const double readings = load.reports_a_day * load.days;
  out.partitions = 1;
  while (readings / out.partitions > k_partition_readings) out.partitions *= 2;
  // At the mean rate; at the peak more reports share an entry.
  const double together = out.mean_per_second / out.partitions * k_append_seconds;
  const double request_part = std::max(1.0, load.reports_a_request / out.partitions);
  const double an_entry = std::clamp(std::max(together, request_part), 1.0, k_entry_reports_max / report);
  out.entries_a_day = load.reports_a_day / an_entry;
  out.log_bytes = load.days * (load.reports_a_day * report + out.entries_a_day * k_entry_bytes);
  out.log_bytes_all = out.log_bytes * load.replicas;
  const double requests = out.peak_per_second / load.reports_a_request;
  out.connection_cores = load.is_new_connection ? requests * k_new_connection : 0;
  out.gateway_cores = requests * k_request + out.peak_per_second * k_gateway_report;
  out.worker_cores = out.peak_per_second * k_worker_report;
  out.readings_bytes = readings * k_reading_bytes;
  out.replay_seconds = readings / out.partitions * k_worker_report;
  return out;
}

}  // namespace sotto::analyzer
