// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The settings of a run that its store keeps in addition to the study, so that the same model can be computed again
/// from the store alone.

#include <string>
#include <string_view>

#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer {

/// The settings of a run.
struct RunSettings {
  std::string command;     ///< the command that reproduces the model
  bool simulated = false;  ///< the devices are simulated
};

/// The settings as one JSON object.
[[nodiscard]] std::string settings_text(const RunSettings& settings);
/// Refuses   store.damaged: the text is not such an object.
[[nodiscard]] Result<RunSettings> read_settings(std::string_view text);

}  // namespace sotto::analyzer
