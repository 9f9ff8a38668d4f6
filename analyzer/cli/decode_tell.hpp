// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Describes captured objects (manifest, round, report) in words and as JSON, for `sotto decode`.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "capture.hpp"
#include "json.hpp"
#include "master_key.hpp"
#include "sotto/analyzer/channel/describe.hpp"
#include "study_directory.hpp"

namespace sotto::cli {

/// What is known about captured bytes from their study: manifest, rounds and keys.
struct Known {
  StudyDirectory directory;
  Manifest manifest;
  Digest digest{};
  std::optional<HeldKey> master;
};

/// The description of one object.
struct Told {
  std::string kind;
  std::size_t bytes = 0;
  std::vector<analyzer::Fact> facts;
  std::string refused;  ///< why the bytes are not a valid object; empty if they are
};

/// Loads a study directory.
/// Refuses   what open_study_directory(), read_manifest() and load_master_key() refuse.
[[nodiscard]] analyzer::Result<std::unique_ptr<Known>> know(const std::string& directory);
/// The same from a manifest and rounds in memory.
[[nodiscard]] analyzer::Result<std::unique_ptr<Known>> know(StudyDirectory directory);

/// Describes an object. `known` decrypts reports; `names` are those of the features, empty if unknown.
[[nodiscard]] Told tell(const Captured& captured, const Known* known, const std::vector<std::string>& names);
[[nodiscard]] Told tell_report(std::span<const std::uint8_t> bytes, const Known* known);
[[nodiscard]] Told tell_round(std::span<const std::uint8_t> bytes, const std::vector<std::string>& names);

void print_told(const Told& told);
[[nodiscard]] Json told_json(const Told& told);

/// Whether the path is a run: a directory with run.sqlite, or that file.
[[nodiscard]] bool is_run(const std::string& path);
int decode_run(const std::string& path, std::uint32_t first, bool json);

}  // namespace sotto::cli
