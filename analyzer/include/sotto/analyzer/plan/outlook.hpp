// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// What a protocol would make of a fleet that was not asked: predicted error, chances of each verdict, bytes and rounds.

#include <cstdint>
#include <string>
#include <string_view>

#include "sotto/analyzer/plan/planned_fleet.hpp"
#include "sotto/analyzer/result.hpp"
#include "sotto/analyzer/simulate/model_simulation.hpp"

namespace sotto::analyzer {

/// learnable: the predicted error is well below that of the zero model, and fleets hardly differ in it. cannot_learn:
/// the model is hardly better than zero. uncertain: everything between, and where fleets differ.
enum class Prospect : std::uint8_t { learnable, uncertain, cannot_learn };
[[nodiscard]] std::string_view prospect_text(Prospect prospect);  ///< "learnable", "uncertain", "cannot learn"

/// How a prediction was made.
enum class PlannedBy : std::uint8_t {
  law,      ///< the server's code on the law of its aggregates, without devices
  devices,  ///< whole simulated devices
  scaled,   ///< whole devices of a smaller fleet, whose error is scaled by the number of devices
  formula,  ///< the chances of each step of the protocol, in closed form
  plan,     ///< the protocol's own plan, which asks nobody or refuses
};
[[nodiscard]] std::string_view planned_by_text(PlannedBy by);

/// What the costliest round asks of one device.
struct DeviceCost {
  double m0 = 0, m4 = 0;       ///< instructions on Cortex-M0+ and M4F, from the rows to the stored report; 0: not known
  std::size_t work_bytes = 0;  ///< work space
};

struct Outlook {
  std::string protocol;      ///< that was run: for "auto" the one that it chooses
  std::string why;           ///< why this protocol, or why nothing is expected of it
  std::string metric;        ///< of `sotto simulate --json` that is predicted
  double predicted = 0;      ///< its mean over fleets
  double low = 0, high = 0;  ///< between these lies the error of four fleets of five
  double zero = 0;           ///< the same metric of a model that says nothing
  Prospect prospect = Prospect::cannot_learn;
  PlannedBy by = PlannedBy::law;
  double f1 = 0;
  double found = 0;       ///< share of the variables that matter which the model states as found
  double half_width = 0;  ///< of the 95 % intervals, on average; 0: there are none
  double learned = 0, uncertain = 0, cannot = 1;  ///< shares of the fleets with this verdict
  double reports = 0, report_bytes = 0, bytes = 0;
  std::size_t rounds = 0;
  DeviceCost device;
  std::uint64_t smallest_cohort = 0;
  std::uint32_t fleets = 0;  ///< that were drawn for this
};

struct OutlookOptions {
  std::uint64_t seed = 1;
  double effort = 1;          ///< of one fleet: stand-ins, in units of what a first answer takes
  std::uint32_t fleets = 16;  ///< that are drawn at most; fewer where they are alike
};

/// The outlook of one protocol for this fleet.
/// Refuses  what the study refuses for other reasons than a fleet that is too small: bad numbers, links and names.
[[nodiscard]] Result<Outlook> outlook_of(const PlannedFleet& fleet, const ProtocolChoice& choice,
                                         const OutlookOptions& options);

}  // namespace sotto::analyzer
