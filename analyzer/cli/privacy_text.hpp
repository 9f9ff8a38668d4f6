// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The privacy statement and channel of a study as JSON and as text for the terminal.

#include <span>
#include <string>

#include "json.hpp"
#include "sotto/analyzer/channel/privacy_statement.hpp"

namespace sotto::cli {

/// The object `privacy` of every result: declared and delivered epsilon, delta, and the statement's numbers and words.
[[nodiscard]] Json privacy_json(const analyzer::ChannelFacts& facts, const analyzer::PrivacyStatement& statement);

/// The object `channel`: stem, outcomes M, inside outcomes k, threshold T, payload bits, digest.
[[nodiscard]] Json channel_json(const analyzer::ChannelFacts& facts);

[[nodiscard]] std::string hex(std::span<const std::uint8_t> bytes);

/// Prints channel and statement.
void print_privacy(const analyzer::ChannelFacts& facts, const analyzer::PrivacyStatement& statement);

}  // namespace sotto::cli
