// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <span>

#include "sotto/bytes.hpp"
#include "sotto/wire/manifest.hpp"
#include "sotto/wire/round.hpp"

// The inverse of the decoders, for whoever writes studies and for tests. A device does not need it.
namespace sotto {

inline constexpr std::size_t k_scale_bytes = 13;

void encode_scale(const ReadingScale& scale, std::span<std::uint8_t, k_scale_bytes> out) noexcept;

/// Bodies, without a signature. Fields are written as they are: decode what comes out to find out whether it is valid.
void encode_manifest(const Manifest& manifest, ByteWriter& out) noexcept;
void encode_round(const Round& round, ByteWriter& out) noexcept;

}  // namespace sotto
