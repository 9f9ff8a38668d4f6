// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <filesystem>
#include <optional>

#include "sotto/analyzer/crypto/random.hpp"
#include "sotto/analyzer/result.hpp"
#include "sotto/credential.hpp"

namespace sotto::cli {

/// A master key that is wiped when it goes.
class HeldKey {
 public:
  explicit HeldKey(const MasterKey& key) : key_(key) {}
  HeldKey(const HeldKey&) = default;
  HeldKey& operator=(const HeldKey&) = default;
  ~HeldKey() { analyzer::wipe_secret(key_); }
  [[nodiscard]] const MasterKey& get() const noexcept { return key_; }

 private:
  MasterKey key_;
};

/// 32 of the key, and the first 8 of SHA-256("sotto-master-key-check" || key).
inline constexpr std::size_t k_key_file_bytes = sizeof(MasterKey) + 8;

/// DIR/master.key, which only its owner may read; nothing when there is no such file. A file of the key alone, as it
/// may come from another tool, is taken as it is.
/// Refuses   key.exposed: others may read it; key.bad_size; key.damaged: the check differs; io.cannot_read.
[[nodiscard]] analyzer::Result<std::optional<HeldKey>> load_master_key(const std::filesystem::path& directory);

/// The same, drawn and written when there is none. A key that is there is never replaced.
/// Refuses   what load_master_key() refuses; io.cannot_write.
[[nodiscard]] analyzer::Result<HeldKey> load_or_draw_master_key(const std::filesystem::path& directory);

}  // namespace sotto::cli
