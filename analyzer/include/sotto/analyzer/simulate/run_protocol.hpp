// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sotto/analyzer/aggregate/round_sink.hpp"
#include "sotto/analyzer/protocol/frame/protocol.hpp"
#include "sotto/analyzer/protocol/frame/report_sizes.hpp"
#include "sotto/analyzer/simulate/session_fleet.hpp"

namespace sotto::analyzer {

/// Devices whose reports of that size travel together, of a fleet of this size. Part of how a run is stored: a batch is named by its
/// first device over this. Large fleets travel in large batches, up to k_batch_max_bytes: a store waits for its disk after each.
[[nodiscard]] std::uint64_t devices_per_batch(std::uint64_t devices, std::size_t report_bytes) noexcept;

/// What happened in a run.
struct RunRecord {
  std::uint64_t reports = 0, bytes = 0;           ///< sent now, without what was there before
  std::vector<std::vector<std::uint8_t>> rounds;  ///< that were broadcast
};

/// Runs a study from its first round to its last: opens rounds, lets the fleet answer on some threads, closes them. Then the protocol
/// has its model, and what comes back is how large the reports were. With a sink
/// that holds batches already, their devices are not asked again: a run that was cut goes on where it stopped, to the same model.
/// `progress` hears of devices that were asked, over all rounds, from one thread. `is_stopped` is asked before every batch, from
/// any thread.
/// Refuses  what the protocol, the sink and the devices refuse; simulate.stopped.
Result<ReportSizes> run_protocol(Protocol& protocol, const SessionFleet& fleet, RoundSink& sink, std::uint32_t threads,
                                 const std::function<void(std::uint64_t)>& progress, RunRecord& record,
                                 const std::function<bool()>& is_stopped = {});

}  // namespace sotto::analyzer
