// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// SHA-256 with the processor's own instructions, for bytes of which a server hashes many.

#include <cstdint>
#include <span>

#include "sotto/sha256.hpp"

namespace sotto::analyzer {

/// The digest that sotto::sha256() gives.
[[nodiscard]] Digest fast_sha256(std::span<const std::uint8_t> bytes) noexcept;

}  // namespace sotto::analyzer
