// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The directory of a compiled study: manifest, rounds, study file, and their checksums.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sotto/analyzer/result.hpp"
#include "sotto/analyzer/study/study.hpp"

namespace sotto::analyzer {

using Bytes = std::vector<std::uint8_t>;

/// The files that `sotto study --out DIR` wrote: manifest.bin, round-N.bin, study.toml.
struct StudyDirectory {
  std::filesystem::path path;
  Bytes manifest;
  std::vector<Bytes> rounds;                       ///< by rising number
  std::vector<std::filesystem::path> round_files;  ///< the file of each round
  std::optional<Study> study;                      ///< names and minimum, for the analyst; devices never see it
};

/// The SHA-256 of the study's files, in the format of sha256sum. A directory without this file was made by an earlier
/// release, or by hand.
inline constexpr const char* k_study_sums_name = "study.sha256";

/// Writes DIR/study.sha256 for study.toml, manifest.bin and the rounds from 1 on with these contents. The lines of
/// later rounds are kept.
[[nodiscard]] Result<Done> write_study_sums(const std::filesystem::path& directory, std::string_view toml,
                                            std::span<const std::uint8_t> manifest, std::span<const Bytes> rounds);
/// Adds a round of a run to DIR/study.sha256 before its file is written. A directory without checksums stays without.
[[nodiscard]] Result<Done> add_round_sum(const std::filesystem::path& directory, std::uint32_t number,
                                         std::span<const std::uint8_t> round);
/// Checks that a file of the directory has the contents that it was written with. A file without a line fails the
/// check.
/// Refuses   study.changed: the contents or the checksums differ; io.cannot_read.
[[nodiscard]] Result<Done> check_study_sum(const std::filesystem::path& directory, std::string_view name,
                                           std::span<const std::uint8_t> bytes);

/// Opens a study directory. Rounds after the first are checked if they have a line; signing checks them with
/// check_study_sum().
/// Refuses   io.cannot_read; study.changed; what read_study() refuses of study.toml. Manifest and rounds are not
///           parsed.
[[nodiscard]] Result<StudyDirectory> open_study_directory(const std::filesystem::path& path);

[[nodiscard]] Result<Bytes> read_bytes(const std::string& path);
[[nodiscard]] Result<Done> write_bytes(const std::filesystem::path& path, std::span<const std::uint8_t> bytes);
/// The body of a manifest or round, without its signature; other bytes unchanged. Runs and study files are compared by
/// bodies.
[[nodiscard]] std::span<const std::uint8_t> body_of(std::span<const std::uint8_t> bytes);
/// DIR/round-N.bin
[[nodiscard]] std::filesystem::path round_path(const std::filesystem::path& directory, std::uint32_t number);

}  // namespace sotto::analyzer
