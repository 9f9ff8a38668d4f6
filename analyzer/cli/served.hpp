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
/// Refuses   what open_study_directory() refuses; serve.no_protocol; serve.signed; estimate.no_key.
[[nodiscard]] analyzer::Result<analyzer::ServedStudy> open_served_study(const std::string& directory,
                                                                        const std::filesystem::path& data);

}  // namespace sotto::cli
