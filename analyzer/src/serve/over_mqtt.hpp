// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sotto/analyzer/mqtt/gateway.hpp"
#include "study_service.hpp"

// The studies of a server as a gateway at an MQTT broker sees them.
namespace sotto::analyzer {

[[nodiscard]] std::vector<MqttStudy> mqtt_studies(const std::vector<std::unique_ptr<StudyService>>& services);
/// What a gateway counted, as text for Prometheus.
[[nodiscard]] std::string mqtt_metrics(const MqttCounts& counts);

}  // namespace sotto::analyzer
