// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The terms of the table [between]: what tells devices apart, asked of columns that never change on a device.

#include <cstdint>
#include <vector>

namespace sotto::analyzer {

/// The stage asks how the target's level, its mean on a device, goes along with columns that are constant there.
struct BetweenTerms {
  std::vector<std::uint32_t> features;  ///< these columns, ascending
  std::uint32_t variables = 1;          ///< how many of them matter, at most
  double explained = 0.3;               ///< the share of the levels' variance that these explain
  double share = 0.5;                   ///< of the study's devices
  bool insist = false;                  ///< ask although an effect of the stated size would hardly be found
  std::uint64_t devices = 0;            ///< the share, in devices; set by the plan
};

}  // namespace sotto::analyzer
