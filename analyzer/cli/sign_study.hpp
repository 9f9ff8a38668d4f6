// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Signs the manifest and rounds of a study directory and verifies their signatures, for `sotto sign` and `sotto
/// estimate`.

#include <filesystem>
#include <string>
#include <vector>

#include "sotto/analyzer/crypto/signing.hpp"
#include "sotto/analyzer/result.hpp"
#include "study_directory.hpp"

namespace sotto::cli {

/// One file of a study and the state of its signature.
struct SignedFile {
  std::filesystem::path path;
  std::uint16_t round = 0;  ///< 0: the manifest
  Bytes body;
  bool is_signed = false, holds = false;  ///< it has a signature; the signature is valid under the key
  bool newly_signed = false, newly_logged = false;
};

/// Verifies the signatures in a directory under a key. The manifest comes first.
/// Refuses   what read_manifest() and read_round() refuse; sign.foreign_round; sign.misplaced_round: a file holds a
///           round of another number than its name says.
[[nodiscard]] analyzer::Result<std::vector<SignedFile>> signatures_of(const StudyDirectory& directory,
                                                                      const analyzer::IssuerKey& key);

/// The log of a key, and the one that `--log` names in its place. Both say what the key signed before.
struct KeyLogs {
  std::filesystem::path of_key;  ///< KEY.log, which is consulted if it exists
  std::filesystem::path written;
};

/// The logs of a key: KEY.log is written, unless `--log` named another.
[[nodiscard]] KeyLogs logs_of_key(const std::filesystem::path& key, const std::string& named);

/// Signs the manifest and every round that is not signed yet. Each is logged before it is signed, so that the log holds
/// everything a fleet may have been asked. The caller holds the directory's lock.
/// Refuses   what signatures_of(), check_study_sum() and LogFile::open() refuse; sign.other_key: a file is signed by
///           another key, and nothing is written; log.asked_otherwise: another round of this number was signed before.
[[nodiscard]] analyzer::Result<std::vector<SignedFile>> sign_directory(const StudyDirectory& directory,
                                                                       const analyzer::SigningKey& key,
                                                                       const KeyLogs& logs, bool with_time);

}  // namespace sotto::cli
