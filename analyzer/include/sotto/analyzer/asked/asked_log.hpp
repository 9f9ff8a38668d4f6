// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sotto/analyzer/crypto/signing.hpp"
#include "sotto/analyzer/result.hpp"
#include "sotto/sha256.hpp"

// The log of what a fleet was asked (docs/SIGNING.md): one line of JSON for each manifest and each round that a key signed. A line carries the
// body itself, its signature, the hash of the line before it, its own hash and a signature of that. The first line names the key. The text
// of a line is a function of its fields, so that a reader can compare every byte.
namespace sotto::analyzer {

inline constexpr std::string_view k_asked_log_name = "sotto-log-1";
/// Of a study's name; the rest is left out. A line has to stay within what a reader takes.
inline constexpr std::size_t k_asked_name_bytes = 256;

/// What a line says. Everything but the first three members follows from the body, or for a round from the body of its manifest.
struct AskedEntry {
  std::vector<std::uint8_t> body;
  std::string name;  ///< of the study, for people; at most k_asked_name_bytes
  std::string time;  ///< UTC as 2026-11-17T22:30:00Z, or empty
  bool is_round = false;
  Digest study{};   ///< of the manifest
  Digest digest{};  ///< of this body
  std::uint16_t round = 0;
  std::string question, unit;  ///< of a manifest: the questions that it allows
  std::uint64_t epsilon_nano = 0, delta = 0;
  std::uint32_t answers = 0;
  Signature signature{};
  Digest hash{};  ///< of the line
};

/// What is wrong with a line, counted from 1.
struct LogFault {
  std::size_t line;
  std::string what;
};

struct AskedLog {
  IssuerKey key{};
  std::vector<AskedEntry> entries;
  std::vector<LogFault>
      faults;     ///< empty: every byte is what the key's owner wrote, in this order, up to the end that is here
  Digest head{};  ///< hash of the last line
  std::size_t whole_bytes = 0;  ///< without a last line that is cut off
  std::size_t lines = 0;        ///< whole ones
  bool torn = false;            ///< the last line has no end: the writer was interrupted, or the file was cut
};

/// Total: says of any text what is wrong with it. An empty text is a log without its first line.
[[nodiscard]] AskedLog read_asked_log(std::string_view text);

/// The first line of a log, with its end.
[[nodiscard]] std::string first_log_line(const IssuerKey& key);

/// What a body asks. `manifest` is that of the round's study, and is not looked at for a manifest.
/// Refuses   what read_manifest() and read_round() refuse; log.foreign_round: the round is of another study.
[[nodiscard]] Result<AskedEntry> asked_entry(std::span<const std::uint8_t> body,
                                             std::span<const std::uint8_t> manifest);

/// The line that follows a log with this many lines and this head. Sets the entry's hash. The signature must be there.
[[nodiscard]] std::string log_line(AskedEntry& entry, std::size_t lines, const Digest& head, const SigningKey& key);

/// Where the log has this body already; or why it must not get it: the same study asked something else under the same number.
/// Refuses   log.asked_otherwise.
[[nodiscard]] Result<bool> already_asked(const AskedLog& log, const AskedEntry& entry);

}  // namespace sotto::analyzer
