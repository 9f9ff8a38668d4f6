// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <string>

#include "http_server.hpp"
#include "study_service.hpp"

// What is shown of a study: as JSON for programs and the page's script, and as text for Prometheus.
namespace sotto::analyzer {

[[nodiscard]] std::string counts_text_json(const ReasonCounts& counts);
[[nodiscard]] std::string error_json(const Error& error);
[[nodiscard]] std::string status_json(const StudyService& service);
[[nodiscard]] std::string metrics_text(const std::vector<std::unique_ptr<StudyService>>& services,
                                       const HttpCounts& counts);

}  // namespace sotto::analyzer
