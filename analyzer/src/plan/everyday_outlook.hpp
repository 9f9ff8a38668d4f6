// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/analyzer/plan/outlook.hpp"

namespace sotto::analyzer {

/// The outlook of an everyday question. Numbers, counts and events: the device library's questions answer for whole
/// devices, and the error of each fleet is averaged over the noise that its interval states. Categories: the sums of the
/// votes are drawn. The most common items: the chances of each stage.
[[nodiscard]] Result<Outlook> outlook_of_everyday(const PlannedFleet& fleet, const OutlookOptions& options);

}  // namespace sotto::analyzer
