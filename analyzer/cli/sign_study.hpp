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

/// Where a key's own log is, which says what the key signed before, and one that `--log` names beside it.
struct KeyLogs {
  std::filesystem::path of_key;  ///< KEY.log, always written
  std::filesystem::path beside;  ///< empty: none was named
};

/// The log stands beside the key itself: two names of one key (symbolic links) have one log.
[[nodiscard]] KeyLogs logs_of_key(const std::filesystem::path& key, const std::string& named);

/// Signs the manifest and every round that is not signed yet. Each goes into the logs first: what a fleet may have been
/// asked is there. The caller holds the directory's lock.
/// Refuses   what signatures_of(), check_study_sum() and LogFile::open() refuse; sign.other_key: signed by somebody
///           else, and nothing is written; log.asked_otherwise: another round of this number was signed before.
[[nodiscard]] analyzer::Result<std::vector<SignedFile>> sign_directory(const StudyDirectory& directory,
                                                                       const analyzer::SigningKey& key,
                                                                       const KeyLogs& logs, bool with_time);

}  // namespace sotto::cli
