// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The studies of `sotto serve` and of the verbs beside it, as they are found in their directories.

#include <filesystem>
#include <string>

#include "sotto/analyzer/result.hpp"
#include "sotto/analyzer/serve/served_study.hpp"

namespace sotto::cli {

/// Opens a study directory for collecting into `data`, whose directory for the study is made.
/// Refuses   what open_study_directory() refuses; serve.no_study; estimate.no_key; what load_ticket_check() refuses.
[[nodiscard]] analyzer::Result<analyzer::ServedStudy> open_served_study(const std::string& directory,
                                                                        const std::filesystem::path& data);

/// The directory of a study inside a server's data, which is made.
/// Refuses   io.cannot_write.
[[nodiscard]] analyzer::Result<std::filesystem::path> make_data_directory(const std::filesystem::path& data,
                                                                          const Digest& study);

/// Of a signed study: its rounds are written into the directory, logged and signed with this key before a device is asked.
/// Does nothing for other studies.
/// Refuses   serve.signed: no key is named; sign.other_key; what load_signing_key() refuses.
[[nodiscard]] analyzer::Result<analyzer::Done> sign_rounds_of(analyzer::ServedStudy& study,
                                                              const std::string& directory,
                                                              const std::string& key_file);

}  // namespace sotto::cli
