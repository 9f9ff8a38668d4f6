// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "agent.hpp"

/// Enrols with a ticket: an issuer, who knows this device by its token, signs a ticket that it cannot see, and the server of the
/// study, who does not know the device, gives a credential for it. Each step is written down before the next, so that a lost
/// answer costs nothing. Between the steps passes a time that is drawn up to `spread` seconds, so that the two cannot be told to
/// belong together by their times. Returns HOME/credential's text, or nothing while that time lasts. Throws Unusable.
[[nodiscard]] std::optional<std::string> enrol_by_ticket(const AgentOptions& options);
