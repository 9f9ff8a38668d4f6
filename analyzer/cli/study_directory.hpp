// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sotto/analyzer/result.hpp"
#include "sotto/analyzer/study/study.hpp"

namespace sotto::cli {

using Bytes = std::vector<std::uint8_t>;

/// What `sotto study --out DIR` wrote: manifest.bin, round-<n>.bin, study.toml.
struct StudyDirectory {
  std::filesystem::path path;
  Bytes manifest;
  std::vector<Bytes> rounds;                       ///< by rising number
  std::vector<std::filesystem::path> round_files;  ///< where each of them was found
  std::optional<analyzer::Study> study;            ///< names and minimum, for people; devices never see it
};

/// Beside the files of a study: their SHA-256, as sha256sum writes and checks it. A directory that has no such file is
/// of an earlier release, or was put together by hand.
inline constexpr const char* k_study_sums_name = "study.sha256";

/// Writes DIR/study.sha256 for study.toml, manifest.bin and the rounds from 1 on with these contents. Lines of later
/// rounds stay.
[[nodiscard]] analyzer::Result<analyzer::Done> write_study_sums(const std::filesystem::path& directory,
                                                                std::string_view toml,
                                                                std::span<const std::uint8_t> manifest,
                                                                std::span<const Bytes> rounds);
/// Puts a round that a run asks into DIR/study.sha256, before its file is written. A directory without sums stays
/// without.
[[nodiscard]] analyzer::Result<analyzer::Done> add_round_sum(const std::filesystem::path& directory,
                                                             std::uint32_t number, std::span<const std::uint8_t> round);
/// Is a file of the directory, with these contents, as it was when it was written? A file without a line is not.
/// Refuses   study.changed: it is not, or the sums are not; io.cannot_read.
[[nodiscard]] analyzer::Result<analyzer::Done> check_study_sum(const std::filesystem::path& directory,
                                                               std::string_view name,
                                                               std::span<const std::uint8_t> bytes);

/// Rounds after the first are compared where they have a line; who signs them asks check_study_sum().
/// Refuses   io.cannot_read; study.changed; what read_study() refuses of study.toml. The bytes are not looked at.
[[nodiscard]] analyzer::Result<StudyDirectory> open_study_directory(const std::filesystem::path& path);

[[nodiscard]] analyzer::Result<Bytes> read_bytes(const std::string& path);
[[nodiscard]] analyzer::Result<analyzer::Done> write_bytes(const std::filesystem::path& path,
                                                           std::span<const std::uint8_t> bytes);
/// A manifest or round without its signature; bytes that are neither as they are. What the run and the study file are
/// compared with.
[[nodiscard]] std::span<const std::uint8_t> body_of(std::span<const std::uint8_t> bytes);
/// DIR/round-<n>.bin
[[nodiscard]] std::filesystem::path round_path(const std::filesystem::path& directory, std::uint32_t number);

}  // namespace sotto::cli
