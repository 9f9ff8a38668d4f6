// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/analyzer/plan/outlook.hpp"

namespace sotto::analyzer {

/// The outlook of a protocol whose questions have no law of their sums: the device library's questions answer for whole
/// devices. Of a fleet that takes too long a smaller one is asked, at two sizes, and the error is taken to go on falling
/// as it fell between them.
[[nodiscard]] Result<Outlook> outlook_by_devices(const PlannedFleet& fleet, const ProtocolChoice& choice,
                                                 const OutlookOptions& options);

}  // namespace sotto::analyzer
