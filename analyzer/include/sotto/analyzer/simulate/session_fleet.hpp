// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// @file
/// A simulated fleet that answers rounds with the device library itself.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sotto/analyzer/crypto/report_seal.hpp"
#include "sotto/analyzer/result.hpp"
#include "sotto/analyzer/simulate/fleet_data.hpp"
#include "sotto/wire/manifest.hpp"

namespace sotto::analyzer {

struct SessionFleetOptions {
  std::uint64_t seed = 1;  ///< of the devices' entropy and of their pseudonyms
  double dropout = 0;      ///< share of devices that never send
  MasterKey master{};      ///< that issued the credentials, for studies with sealed reports
};

/// Devices that answer a study by the device library itself: ledger, session, randomizer, sealing, all of it. Nothing is kept
/// between rounds: a device that is asked once is made, asked and forgotten.
class SessionFleet {
 public:
  /// `data` and the manifest's bytes must outlive the fleet.
  SessionFleet(const FleetData& data, std::span<const std::uint8_t> manifest_bytes, const Manifest& manifest,
               const SessionFleetOptions& options);

  [[nodiscard]] const Manifest& manifest() const noexcept { return manifest_; }
  [[nodiscard]] std::uint64_t devices() const noexcept { return data_.devices(); }
  /// Issued, never 0, the same whenever asked.
  [[nodiscard]] std::uint64_t pseudonym(std::uint64_t device) const noexcept;

  /// What one thread needs to play one device after the other.
  class Player {
   public:
    explicit Player(const SessionFleet& fleet);
    ~Player();
    Player(Player&&) noexcept;

    /// Appends the reports of devices first .. last-1 that this round asks, each behind its length.
    /// Refuses  simulate.device: the device library refused, and why.
    Result<Done> answer(std::span<const std::uint8_t> round, std::uint64_t first, std::uint64_t last,
                        std::vector<std::uint8_t>& batch);

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
