// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// A simulated fleet whose devices answer rounds with the device library itself.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sotto/analyzer/aggregate/round_aggregate.hpp"
#include "sotto/analyzer/crypto/report_seal.hpp"
#include "sotto/analyzer/result.hpp"
#include "sotto/analyzer/simulate/fleet_data.hpp"
#include "sotto/ledger/study_entry.hpp"
#include "sotto/wire/manifest.hpp"

namespace sotto::analyzer {

struct SessionFleetOptions {
  std::uint64_t seed = 1;  ///< of the devices' entropy and of their pseudonyms
  double dropout = 0;      ///< share of devices that never send
  MasterKey master{};      ///< issued the credentials, for studies with sealed reports
  /// What somebody else issued, one credential for each device; empty: they follow from `seed` and `master`.
  std::vector<Credential> issued = {};
};

/// Devices that answer a study with the device library: ledger, session, randomizer and sealing. Nothing is kept
/// between rounds: a device is created, asked and dropped.
class SessionFleet {
 public:
  /// `data` and the manifest's bytes must outlive the fleet.
  SessionFleet(const FleetData& data, std::span<const std::uint8_t> manifest_bytes, const Manifest& manifest,
               const SessionFleetOptions& options);

  [[nodiscard]] const Manifest& manifest() const noexcept { return manifest_; }
  [[nodiscard]] std::uint64_t devices() const noexcept { return data_.devices(); }
  /// The pseudonym of a device: never 0, the same each time.
  [[nodiscard]] std::uint64_t pseudonym(std::uint64_t device) const noexcept;

  /// The state with which one thread simulates one device after the other.
  class Player {
   public:
    explicit Player(const SessionFleet& fleet);
    ~Player();
    Player(Player&&) noexcept;

    /// Appends the reports of the devices first .. last-1 that this round asks, each preceded by its length.
    /// Refuses  simulate.device: the device library refused, with its status.
    Result<Done> answer(std::span<const std::uint8_t> round, std::uint64_t first, std::uint64_t last,
                        std::vector<std::uint8_t>& batch);
    /// Adds what these devices would report to the sums: their questions and randomizers run, with coins that are quick
    /// and known; ledger, session and seal, which change no number, are left out. For plans.
    /// Refuses  simulate.device: the question refused the round.
    Result<Done> tell(const Round& round, std::uint64_t first, std::uint64_t last, RoundAggregate& sums);

   private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
  };

 private:
  const FleetData& data_;
  std::span<const std::uint8_t> manifest_bytes_;
  const Manifest& manifest_;
  SessionFleetOptions options_;
  StudyKeys keys_;
  Digest digest_;
};

}  // namespace sotto::analyzer
