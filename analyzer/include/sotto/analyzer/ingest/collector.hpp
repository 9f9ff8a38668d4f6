// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

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

/// What became of one report.
struct Absorbed {
  Reason reason = Reason::malformed;
  Status status = Status::ok;         ///< of a malformed one
  std::optional<Reading> accepted;    ///< counts from now on
  std::optional<Reading> taken_back;  ///< counted before, and contradicts this one: subtract it
};

/// A round as the collector knows it.
struct CollectedRound {
  std::vector<std::uint8_t> bytes;
  Round round;
  Digest digest{};
  AnySpec spec;
  std::uint32_t outcomes = 0;  ///< a payload is a number below this; 0: it is a vector of numbers, any of which may be
  std::size_t payload_bytes = 0;
  bool is_open = true;
};

/// Decides which reports of one study count. Every report is accepted or refused with one reason; the counts and what counts in
/// the end do not depend on the order of reports, nor on how many threads bring them.
class Collector {
 public:
  /// `master` opens the reports of an authenticated study; without it every one of them is `forged`.
  /// Refuses   wire.*: the bytes are no manifest.
  static Result<std::unique_ptr<Collector>> open(std::vector<std::uint8_t> manifest,
                                                 const std::optional<MasterKey>& master,
                                                 std::unique_ptr<DuplicateIndex> index);

  /// Lets reports to a round count. Rounds open in rising order.
  /// Refuses   wire.*; ingest.foreign_round: of another study; ingest.round_order; what round_spec() refuses.
  Result<Done> open_round(std::vector<std::uint8_t> round);
  /// Reports that come later are late. False when there is no such round, or it was closed before.
  bool close_round(std::uint16_t number);

  /// Any bytes, from any thread.
  Absorbed absorb(std::span<const std::uint8_t> report);
  /// Reports behind their lengths, up to k_batch_max_bytes. Returns what became of this batch; the rest of a torn one counts as
  /// one malformed report, and so does one that is too large.
  ReasonCounts absorb_batch(std::span<const std::uint8_t> batch);

  [[nodiscard]] ReasonCounts counts() const noexcept;
  /// Goes on from the counts of an earlier collector with the same index. Nobody may absorb at the same time.
  void set_counts(const ReasonCounts& counts) noexcept;
  /// Every reading of a round that counts, by rising pseudonym. Nobody may absorb at the same time.
  void each(std::uint16_t round, const std::function<void(const Reading&)>& visit) const { index_->each(round, visit); }

  [[nodiscard]] const Manifest& manifest() const noexcept { return manifest_; }
  [[nodiscard]] const Digest& digest() const noexcept { return digest_; }
  /// The randomizer of a round; nothing when there is no such round.
  [[nodiscard]] std::optional<AnySpec> spec(std::uint16_t round) const;

 private:
  Collector(std::vector<std::uint8_t> bytes, std::unique_ptr<DuplicateIndex> index)
      : bytes_(std::move(bytes)), index_(std::move(index)) {}
  [[nodiscard]] Absorbed judge(std::span<const std::uint8_t> report);
  [[nodiscard]] Absorbed judge_answer(const ReportHeader& header, const CollectedRound& round,
                                      std::span<const std::uint8_t> report);
  [[nodiscard]] bool opened(const ReportHeader& header, const CollectedRound& round,
                            std::span<const std::uint8_t> report, std::span<std::uint8_t> payload) const;
  void count(Reason reason, std::int64_t by = 1) noexcept;

  std::vector<std::uint8_t> bytes_;
  Manifest manifest_;
  Digest digest_{};
  std::unique_ptr<StudyKeys> keys_;
  std::unique_ptr<DuplicateIndex> index_;
  mutable std::shared_mutex lock_;  // of rounds_: absorbing shares it
  std::map<std::uint16_t, CollectedRound> rounds_;
  std::array<std::atomic<std::uint64_t>, k_reasons> counts_{};
};

}  // namespace sotto::analyzer
