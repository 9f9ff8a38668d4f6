// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Replays one partition of the log: opens and judges its reports, sums them, publishes the sums at each CLOSE. What it
/// comes to is a function of the log alone; the directory only saves the way from the start.

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sotto/analyzer/cluster/entry.hpp"
#include "sotto/analyzer/cluster/progress.hpp"
#include "sotto/analyzer/log/log.hpp"
#include "sotto/analyzer/store/store_sink.hpp"
#include "sotto/credential.hpp"

namespace sotto::analyzer {

/// A study as a worker needs it.
struct ReplayedStudy {
  std::vector<std::uint8_t> manifest;
  std::optional<MasterKey> master;
};

/// For one thread.
class PartitionReplay {
 public:
  /// Continues what `directory` has of the partition; a directory that is damaged or another program's is begun anew.
  /// Refuses   what Log, the store and the collector refuse.
  [[nodiscard]] static Result<std::unique_ptr<PartitionReplay>> open(const ReplayedStudy& study, Log& log,
                                                                     std::uint32_t partition,
                                                                     const std::filesystem::path& directory);
  PartitionReplay(const PartitionReplay&) = delete;
  PartitionReplay& operator=(const PartitionReplay&) = delete;

  /// Reads some entries and applies them; waits at most this long where there are none. True if anything was new.
  /// Refuses   cluster.foreign_entry: the log holds what no gateway and no coordinator writes; cluster.diverged; what
  ///           Log, the store and the collector refuse.
  [[nodiscard]] Result<bool> step(std::chrono::milliseconds wait);
  [[nodiscard]] const PartitionProgress& progress() const noexcept { return progress_; }
  /// Whether the study is over.
  [[nodiscard]] bool is_ended() const noexcept { return phase_ == Phase::ended; }

 private:
  /// open: reports count. cut: CLOSE was read, and what follows waits for the next OPEN, which says whether it counts.
  enum class Phase : std::uint8_t { open, cut, ended };
  PartitionReplay(Log& log, std::uint32_t partition, std::filesystem::path directory)
      : log_(log), partition_(partition), directory_(std::move(directory)) {
    progress_.partition = partition;
  }
  [[nodiscard]] Result<Done> begin(const ReplayedStudy& study);
  [[nodiscard]] Result<Done> load_mark();
  [[nodiscard]] Result<Done> save_mark() const;
  [[nodiscard]] Result<Done> apply(const LogEntry& entry);
  [[nodiscard]] Result<Done> collect(const LogEntry& entry, const PartitionEntry& read);
  [[nodiscard]] Result<Done> store_collected();
  [[nodiscard]] Result<Done> cut_at(std::uint64_t sequence);
  [[nodiscard]] Result<Done> publish();
  [[nodiscard]] Result<Done> open_at(std::uint64_t sequence, const PartitionEntry& read);
  [[nodiscard]] Result<Done> end_at(std::uint64_t sequence);
  void tell();

  Log& log_;
  std::uint32_t partition_;
  std::filesystem::path directory_;
  std::unique_ptr<RunStore> store_;
  std::unique_ptr<StoreSink> sink_;
  PartitionProgress progress_;

  // The mark: what the markers of the log came to so far.
  Phase phase_ = Phase::cut;
  std::uint16_t round_ = 0;
  std::uint32_t attempt_ = 0;
  std::uint64_t cut_ = 0;     ///< the last CLOSE that counted
  std::uint64_t opened_ = 0;  ///< the last OPEN that counted; markers up to it are done

  std::uint64_t next_ = 1;               ///< what is read next
  std::uint64_t applied_ = 0;            ///< the last entry that is stored, or was a marker
  std::uint64_t accepted_before_ = 0;    ///< accepted reports of earlier rounds
  std::vector<std::uint8_t> collected_;  ///< batches that are stored together
  std::uint64_t collected_to_ = 0;
};

}  // namespace sotto::analyzer
