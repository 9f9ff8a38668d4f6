// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <string>
#include <string_view>

#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer {

/// What a run's store remembers beside the study, so that the same model can be made again from the store alone.
struct RunSettings {
  std::string command;     ///< that makes the model again
  bool simulated = false;  ///< the devices are
};

/// One JSON object.
[[nodiscard]] std::string settings_text(const RunSettings& settings);
/// Refuses   store.damaged: it is none.
[[nodiscard]] Result<RunSettings> read_settings(std::string_view text);

}  // namespace sotto::analyzer
