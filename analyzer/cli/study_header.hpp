// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// What a firmware compiles in of a study: manifest, rounds and sizes as a C header (`sotto study --header`).

#include <string>

#include "sotto/analyzer/result.hpp"

namespace sotto::cli {

/// The header of the study in this directory: every round that is there, the question that answers it, the sizes of its
/// report and of its work space, found by asking the device library. `credentials` is a file of `sotto enrol`, whose
/// first line becomes the credential of this one image; empty for none.
/// Refuses   what open_study_directory() refuses; study.unanswerable: no question of the device library answers a round;
///           header.bad_credentials.
[[nodiscard]] analyzer::Result<std::string> study_header(const std::string& directory, const std::string& credentials);

}  // namespace sotto::cli
