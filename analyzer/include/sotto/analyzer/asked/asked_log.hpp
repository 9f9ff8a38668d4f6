// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The tamper-evident log of everything that a fleet of devices was asked (docs/SIGNING.md): one line of JSON for each
/// manifest and each round that an issuer's key signed. A line carries the signed body itself, its signature, the hash
/// of the line before, its own hash and a signature of that hash; the first line names the key. `sotto sign` writes the
/// log, `sotto log` checks it. The text of a line is a function of its fields, so that a reader can compare every byte.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sotto/analyzer/crypto/signing.hpp"
#include "sotto/analyzer/result.hpp"
#include "sotto/sha256.hpp"

namespace sotto::analyzer {

inline constexpr std::string_view k_asked_log_name = "sotto-log-1";
/// A study's name is cut to this many bytes, so that a line stays within the length that a reader accepts.
inline constexpr std::size_t k_asked_name_bytes = 256;

/// The content of a line. Everything except body, name and time follows from the body, or for a round from the body of
/// its study's manifest.
struct AskedEntry {
  std::vector<std::uint8_t> body;
  std::string name;  ///< name of the study, for human readers; at most k_asked_name_bytes
  std::string time;  ///< UTC as 2026-11-17T22:30:00Z, or empty
  bool is_round = false;
  Digest study{};   ///< digest of the study's manifest
  Digest digest{};  ///< digest of this body
  std::uint16_t round = 0;
  std::string question, unit;  ///< question: of a round; for a manifest all questions that it allows
  std::uint64_t epsilon_nano = 0, delta = 0;
  std::uint32_t answers = 0;
  Signature signature{};
  Digest hash{};  ///< hash of the line
};

/// A defect of one line; lines are counted from 1.
struct LogFault {
  std::size_t line;
  std::string what;
};

/// A log as it was read, with every defect that was found.
struct AskedLog {
  IssuerKey key{};
  std::vector<AskedEntry> entries;
  /// Empty if every byte of the text is what the key's owner wrote, in this order. Lines missing at the end go
  /// unnoticed.
  std::vector<LogFault> faults;
  Digest head{};                ///< hash of the last line
  std::size_t whole_bytes = 0;  ///< bytes of the complete lines
  std::size_t lines = 0;        ///< number of complete lines
  bool torn = false;  ///< the last line has no line feed: its writer was interrupted, or the file was truncated
};

/// Reads and checks a log. Total: any text gives a list of its defects. An empty text is a log whose first line is
/// missing.
[[nodiscard]] AskedLog read_asked_log(std::string_view text);

/// The first line of a log, which names the key, including its line feed.
[[nodiscard]] std::string first_log_line(const IssuerKey& key);

/// Describes a signed body. `manifest` is the manifest of a round's study; it is ignored if the body is itself a
/// manifest.
/// Refuses   what read_manifest() and read_round() refuse; log.foreign_round: the round belongs to another study.
[[nodiscard]] Result<AskedEntry> asked_entry(std::span<const std::uint8_t> body,
                                             std::span<const std::uint8_t> manifest);

/// The line that follows a log of this many lines with this head. The entry must carry its signature; its hash is set
/// here.
[[nodiscard]] std::string log_line(AskedEntry& entry, std::size_t lines, const Digest& head, const SigningKey& key);

/// Whether the log holds this body already.
/// Refuses   log.asked_otherwise: the log holds another body of the same study under the same round number, so that
///           this one must not be signed.
[[nodiscard]] Result<bool> already_asked(const AskedLog& log, const AskedEntry& entry);

}  // namespace sotto::analyzer
