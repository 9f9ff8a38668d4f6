// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/analyzer/plan/outlook.hpp"

namespace sotto::analyzer {

/// The outlook of a protocol whose aggregates have no law here: whole devices answer, of a fleet that is no larger than
/// a few seconds allow. The error of a larger fleet is taken to fall with its number, which holds once most of the
/// truth is found; such an outlook never says "learnable" where that was not seen.
/// Refuses  as outlook_of().
[[nodiscard]] Result<Outlook> outlook_by_devices(const PlannedFleet& fleet, const ProtocolChoice& choice,
                                                 const OutlookOptions& options);

}  // namespace sotto::analyzer
