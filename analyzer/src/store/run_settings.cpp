// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/store/run_settings.hpp"

#include <nlohmann/json.hpp>

namespace sotto::analyzer {

using Json = nlohmann::ordered_json;

std::string settings_text(const RunSettings& settings) {
  // A command line may hold any bytes.
  return Json{{"command", settings.command}, {"simulated", settings.simulated}}.dump(-1, ' ', false,
                                                                                     Json::error_handler_t::replace);
}

Result<RunSettings> read_settings(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  const bool whole = json.is_object() && json.contains("command") && json["command"].is_string() &&
                     json.contains("simulated") && json["simulated"].is_boolean();
  if (!whole) {
    return Error{"store.damaged", "the settings of the run cannot be read", std::string(text.substr(0, 80)),
                 "restore the run from a backup, or begin it again in another directory"};
  }
  return RunSettings{json["command"].get<std::string>(), json["simulated"].get<bool>()};
}

}  // namespace sotto::analyzer
