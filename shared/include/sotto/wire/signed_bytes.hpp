// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The two parts of a manifest or a round as it was received.

#include <cstdint>
#include <span>

namespace sotto {

/// Both point into the bytes that were decoded.
struct SignedBytes {
  std::span<const std::uint8_t> body;       ///< what is signed and hashed
  std::span<const std::uint8_t> signature;  ///< empty, or 1 to 96 bytes for the verify hook
};

}  // namespace sotto
