// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "agent.hpp"

// What an agent takes from and brings to the gateway of `sotto serve` at an MQTT broker.

/// Fetches HOME/manifest.bin where it is missing. The digest in the address says which study its owner agreed to. Throws Unusable.
void fetch_study_from_broker(const AgentOptions& options);

/// Puts the open round into the inbox, if there is one. False where the broker was not reached.
[[nodiscard]] bool fetch_round_from_broker(const AgentOptions& options);

/// Publishes a report. True when the server says that it has it, or refuses it for good. A broker's acknowledgement is neither.
[[nodiscard]] bool post_report_to_broker(const AgentOptions& options, const std::string& report);
