// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The master key of a study, DIR/master.key, from which the report keys of all devices are derived.

#include <filesystem>
#include <optional>

#include "sotto/analyzer/crypto/random.hpp"
#include "sotto/analyzer/result.hpp"
#include "sotto/credential.hpp"

namespace sotto::analyzer {

/// A master key that is wiped on destruction.
class HeldKey {
 public:
  explicit HeldKey(const MasterKey& key) : key_(key) {}
  HeldKey(const HeldKey&) = default;
  HeldKey& operator=(const HeldKey&) = default;
  ~HeldKey() { wipe_secret(key_); }
  [[nodiscard]] const MasterKey& get() const noexcept { return key_; }

 private:
  MasterKey key_;
};

/// Size of the file: 32 bytes of the key, and the first 8 bytes of SHA-256("sotto-master-key-check" || key).
inline constexpr std::size_t k_key_file_bytes = sizeof(MasterKey) + 8;

/// Loads DIR/master.key, which only its owner may read; empty if there is no such file. A file of 32 bytes, as another
/// tool may write it, is accepted as the key alone.
/// Refuses   key.exposed: others may read it; key.bad_size; key.damaged: the check differs; io.cannot_read.
[[nodiscard]] Result<std::optional<HeldKey>> load_master_key(const std::filesystem::path& directory);

/// The same, but draws and writes a key if there is none. An existing key is never replaced.
/// Refuses   what load_master_key() refuses; io.cannot_write.
[[nodiscard]] Result<HeldKey> load_or_draw_master_key(const std::filesystem::path& directory);

/// Checks that a study without a master key never had one: with a new one, devices that hold credentials would be
/// refused as forgers. `collected` is where a server keeps the study's run.
/// Refuses   enrol.key_lost: there is a store or a design.
[[nodiscard]] Result<Done> no_key_was_lost(const std::filesystem::path& directory,
                                           const std::filesystem::path& collected = {});

}  // namespace sotto::analyzer
