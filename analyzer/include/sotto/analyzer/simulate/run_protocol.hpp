// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Runs a protocol against a simulated fleet: opens rounds, lets the devices answer on several threads, closes rounds.

#include <cstdint>
#include <functional>
#include <vector>

#include "sotto/analyzer/aggregate/round_sink.hpp"
#include "sotto/analyzer/protocol/frame/protocol.hpp"
#include "sotto/analyzer/protocol/frame/report_sizes.hpp"
#include "sotto/analyzer/simulate/session_fleet.hpp"

namespace sotto::analyzer {

/// The number of devices whose reports form one batch, for a fleet of this size. It is part of the format of a stored
/// run, because a batch is named by its first device divided by this. Large fleets use large batches, up to
/// k_batch_max_bytes, because a store waits for its disk after each.
[[nodiscard]] std::uint64_t devices_per_batch(std::uint64_t devices, std::size_t report_bytes) noexcept;

/// What was sent in a run.
struct RunRecord {
  std::uint64_t reports = 0, bytes = 0;           ///< sent in this process, without earlier batches
  std::vector<std::vector<std::uint8_t>> rounds;  ///< the rounds that were broadcast
};

/// Runs a study from its first round to its last. Afterwards the protocol has its model; the result is the size of the
/// reports. Batches that the sink already holds are not asked for again, so an interrupted run continues where it
/// stopped and gives the same model. `progress` is called from one thread with the number of devices asked so far, over
/// all rounds. `is_stopped` is called before each batch, from any thread.
/// Refuses  what the protocol, the sink and the devices refuse; simulate.stopped.
Result<ReportSizes> run_protocol(Protocol& protocol, const SessionFleet& fleet, RoundSink& sink, std::uint32_t threads,
                                 const std::function<void(std::uint64_t)>& progress, RunRecord& record,
                                 const std::function<bool()>& is_stopped = {});

/// The same on one thread with SessionFleet::Player::tell(): numbers of the same law, for plans. The record has no bytes.
/// Refuses  what the protocol and the questions refuse.
Result<ReportSizes> rehearse_protocol(Protocol& protocol, const SessionFleet& fleet, RunRecord& record);

}  // namespace sotto::analyzer
