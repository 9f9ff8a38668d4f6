// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// How large a cluster a fleet needs: arithmetic on costs that were measured, for capacity plans. docs/FLEET.md says
/// where each cost is from.

#include <cstdint>

namespace sotto::analyzer {

/// What a fleet sends.
struct FleetLoad {
  double reports_a_day = 0;
  double days = 1;               ///< that a run's log holds
  double peak = 10;              ///< the busiest second, in mean ones
  double report_bytes = 33;      ///< as it is sealed
  double reports_a_request = 1;  ///< more where gateways of a vendor batch
  double replicas = 3;
  bool is_new_connection = true;  ///< each request brings its own TLS connection
};

struct FleetSize {
  double mean_per_second = 0, peak_per_second = 0;
  double entries_a_day = 0;      ///< of the log: gateways store together what comes together
  double log_bytes = 0;          ///< of one replica
  double log_bytes_all = 0;      ///< of all
  double connection_cores = 0;   ///< at the peak: new TLS connections
  double gateway_cores = 0;      ///< at the peak: requests
  double worker_cores = 0;       ///< at the peak: opening, judging, storing
  double readings_bytes = 0;     ///< memory of all workers together
  std::uint32_t partitions = 1;  ///< so that none has more than 16 million readings
  double replay_seconds = 0;     ///< of one partition from the start
};

[[nodiscard]] FleetSize size_of(const FleetLoad& load);

/// The bytes of an entry beside its reports, in a stream's file: subject, id and stream of its header, the broker's
/// record, and what encode_entry() adds; and those of a report beside its own.
inline constexpr double k_entry_bytes = 215, k_length_bytes = 2;

}  // namespace sotto::analyzer
