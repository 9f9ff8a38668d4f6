// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Decides which reports of a study count: checks format, study, round, authentication and duplicates, and refuses
/// everything else with a reason. `sotto estimate` and the simulator pass all reports through it.

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <span>
#include <vector>

#include "sotto/analyzer/channel/any_spec.hpp"
#include "sotto/analyzer/crypto/report_seal.hpp"
#include "sotto/analyzer/ingest/duplicate_index.hpp"
#include "sotto/analyzer/ingest/reason.hpp"
#include "sotto/analyzer/result.hpp"
#include "sotto/wire/manifest.hpp"
#include "sotto/wire/report.hpp"
#include "sotto/wire/round.hpp"

namespace sotto::analyzer {

/// The outcome of one report.
struct Absorbed {
  Reason reason = Reason::malformed;
  Status status = Status::ok;         ///< why a malformed report is malformed
  std::optional<Reading> accepted;    ///< the reading, which counts from now on
  std::optional<Reading> taken_back;  ///< an earlier accepted reading that this one contradicts: subtract it
};

/// A round with what is needed to check its reports.
struct CollectedRound {
  std::vector<std::uint8_t> bytes;
  Round round;
  Digest digest{};
  AnySpec spec;
  std::uint32_t outcomes = 0;  ///< a payload is a number below this; 0: a vector of any numbers
  std::size_t payload_bytes = 0;
  bool is_open = true;
};

/// Accepts every report or refuses it with one reason. Neither the counts nor the accepted set depend on the order of
/// reports or on the number of threads that submit them.
class Collector {
 public:
  /// `master` decrypts the reports of an authenticated study; without it all of them are counted as `forged`.
  /// Refuses   wire.*: the bytes are not a manifest.
  static Result<std::unique_ptr<Collector>> open(std::vector<std::uint8_t> manifest,
                                                 const std::optional<MasterKey>& master,
                                                 std::unique_ptr<DuplicateIndex> index);

  /// Opens a round: reports to it count from now on. Rounds open in rising order.
  /// Refuses   wire.*; ingest.foreign_round: the round belongs to another study; ingest.round_order; what round_spec()
  ///           refuses.
  Result<Done> open_round(std::vector<std::uint8_t> round);
  /// Closes a round: later reports to it are late. False if there is no such round, or it was closed before.
  bool close_round(std::uint16_t number);

  /// Checks one report, which may be any bytes. Safe to call from several threads.
  Absorbed absorb(std::span<const std::uint8_t> report);
  /// The same for many reports in their order, without their readings, and in half of the time. `visit` is told each
  /// report's reason.
  void absorb_all(std::span<const std::span<const std::uint8_t>> reports,
                  const std::function<void(std::size_t at, Reason reason)>& visit);
  /// Counts what is no report, such as the rest of a truncated batch. Returns Reason::malformed.
  Reason count_malformed() noexcept {
    count(Reason::malformed);
    return Reason::malformed;
  }
  /// Checks a batch of reports of up to k_batch_max_bytes, and returns its counts. The rest of a truncated batch counts
  /// as one malformed report, and so does a batch that is too large.
  ReasonCounts absorb_batch(std::span<const std::uint8_t> batch);

  [[nodiscard]] ReasonCounts counts() const noexcept;
  /// Restores the counts of an earlier collector with the same index. No thread may absorb at the same time.
  void set_counts(const ReasonCounts& counts) noexcept;
  /// Visits every accepted reading of a round, by rising pseudonym. No thread may absorb at the same time.
  void each(std::uint16_t round, const std::function<void(const Reading&)>& visit) const { index_->each(round, visit); }

  [[nodiscard]] const Manifest& manifest() const noexcept { return manifest_; }
  [[nodiscard]] const Digest& digest() const noexcept { return digest_; }
  /// The randomizer of a round; empty if there is no such round.
  [[nodiscard]] std::optional<AnySpec> spec(std::uint16_t round) const;

 private:
  Collector(std::vector<std::uint8_t> bytes, std::unique_ptr<DuplicateIndex> index)
      : bytes_(std::move(bytes)), index_(std::move(index)) {}
  struct Candidate;
  [[nodiscard]] Candidate looked_at(std::span<const std::uint8_t> report) const;
  void open(std::span<Candidate> candidates) const;
  [[nodiscard]] Absorbed judge(const Candidate& candidate);
  Absorbed counted(const Absorbed& absorbed) noexcept;
  void count(Reason reason, std::int64_t by = 1) noexcept;

  std::vector<std::uint8_t> bytes_;
  Manifest manifest_;
  Digest digest_{};
  std::unique_ptr<StudyKeys> keys_;
  std::unique_ptr<DuplicateIndex> index_;
  mutable std::shared_mutex lock_;  // guards rounds_; absorbing takes it shared
  std::map<std::uint16_t, CollectedRound> rounds_;
  std::array<std::atomic<std::uint64_t>, k_reasons> counts_{};
};

}  // namespace sotto::analyzer
