// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/analyzer/channel/any_spec.hpp"
#include "sotto/analyzer/plan/outlook.hpp"
#include "sotto/wire/manifest.hpp"
#include "sotto/wire/round.hpp"

namespace sotto::analyzer {

/// What a round costs the device that answers it, from the counted instructions of docs/SIZES.md: those of the local
/// answer and of the randomizer by the number of readings and coordinates, sealing and storing as counted.
[[nodiscard]] DeviceCost device_cost(const Manifest& manifest, const Round& round, const AnySpec& spec);

}  // namespace sotto::analyzer
