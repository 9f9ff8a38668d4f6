// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "sotto/analyzer/asked/asked_log.hpp"

// The text of one line of the log, shared by the writer and the reader.
namespace sotto::analyzer {

using LogJson = nlohmann::ordered_json;

/// A line up to its hash. The hash covers a label, the hash of the line before, and this text.
[[nodiscard]] std::string hashed_text(const AskedEntry& entry, std::size_t line, const Digest& before);
[[nodiscard]] Digest line_hash(std::string_view text);
/// The message that the seal signs. It begins with the log's name, so that it can be neither a manifest nor a round.
[[nodiscard]] std::vector<std::uint8_t> sealed_text(const Digest& hash);
/// The complete line.
[[nodiscard]] std::string finished_line(std::string hashed, const Digest& hash, std::span<const std::uint8_t> seal);

/// Decodes lowercase hexadecimal digits; empty if the text is anything else.
[[nodiscard]] std::optional<std::vector<std::uint8_t>> unhex(std::string_view text);

}  // namespace sotto::analyzer
