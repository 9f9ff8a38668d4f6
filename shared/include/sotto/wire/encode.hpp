// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Encoders of manifests and rounds, for the analyzer and for tests. Devices only decode.

#include <cstdint>
#include <span>

#include "sotto/bytes.hpp"
#include "sotto/wire/manifest.hpp"
#include "sotto/wire/round.hpp"

namespace sotto {

inline constexpr std::size_t k_scale_bytes = 13;

/// Writes a scale as a manifest holds it.
void encode_scale(const ReadingScale& scale, std::span<std::uint8_t, k_scale_bytes> out) noexcept;

/// Write the body of a manifest or round, without a signature. Fields are not checked: decode the result to find out
/// whether it is valid.
void encode_manifest(const Manifest& manifest, ByteWriter& out) noexcept;
void encode_round(const Round& round, ByteWriter& out, const RoundTimes& times = {}) noexcept;

}  // namespace sotto
