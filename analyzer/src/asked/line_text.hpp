// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "sotto/analyzer/asked/asked_log.hpp"

namespace sotto::analyzer {

using LogJson = nlohmann::ordered_json;

/// A line without its hash, seal and end: what the hash covers, after the label and the hash of the line before.
[[nodiscard]] std::string hashed_text(const AskedEntry& entry, std::size_t line, const Digest& before);
[[nodiscard]] Digest line_hash(std::string_view text);
/// What the seal signs. It begins with the log's name, so that it is neither a manifest nor a round.
[[nodiscard]] std::vector<std::uint8_t> sealed_text(const Digest& hash);
/// The whole line.
[[nodiscard]] std::string finished_line(std::string hashed, const Digest& hash, std::span<const std::uint8_t> seal);

/// The bytes that lowercase hexadecimal digits write, or nothing.
[[nodiscard]] std::optional<std::vector<std::uint8_t>> unhex(std::string_view text);

}  // namespace sotto::analyzer
