// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "sotto/analyzer/result.hpp"
#include "sotto/bytes.hpp"
#include "sotto/sha256.hpp"

namespace sotto::analyzer {

/// The counts at the start of a saved set of reports, after its version and the digest of its spec. The reports follow,
/// then the checksum.
struct SetHead {
  std::uint64_t refused = 0, count = 0;
};
inline constexpr std::size_t k_set_head_bytes = 1 + 32 + 8 + 8;

void write_set_head(const Digest& spec, const SetHead& head, ByteWriter& out);

/// Reads and checks the start of a saved set. `what` names the set in messages.
/// Refuses  aggregate.truncated, aggregate.bad_version, aggregate.other_spec, aggregate.altered.
[[nodiscard]] Result<SetHead> read_set_head(std::span<const std::uint8_t> bytes, const Digest& spec,
                                            std::size_t report_bytes, std::string_view what);

/// The error for merging two sets whose specs differ.
[[nodiscard]] Error other_set(std::string_view what);

}  // namespace sotto::analyzer
