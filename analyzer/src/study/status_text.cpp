// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/study/status_text.hpp"

namespace sotto::analyzer {

std::string_view status_name(Status status) {
  switch (status) {
    case Status::ok: return "ok";
    case Status::bad_dimension: return "bad_dimension";
    case Status::bad_channel: return "bad_channel";
    case Status::bad_epsilon: return "bad_epsilon";
    case Status::over_cap: return "over_cap";
    case Status::overspent: return "overspent";
    case Status::uncertified_point: return "uncertified_point";
    case Status::uncertified: return "uncertified";
    case Status::entropy_not_ready: return "entropy_not_ready";
    case Status::entropy_fault: return "entropy_fault";
    case Status::short_buffer: return "short_buffer";
  }
  return "unknown";
}

std::string_view status_fix(Status status) {
  switch (status) {
    case Status::ok: return "";
    case Status::bad_dimension:
      return "choose a number of features, categories or coordinates in the randomizer's range";
    case Status::bad_channel: return "choose parameters with 1 <= k < M, in the randomizer's range";
    case Status::bad_epsilon: return "choose an epsilon above 0 and at most 12 that is not too small for 32-bit coins";
    case Status::over_cap: return "ask for less epsilon, or ship firmware with a larger cap";
    case Status::overspent:
      return "use the derived threshold or variance: this one spends more than the stated epsilon";
    case Status::uncertified_point: return "use an (epsilon, delta) from the table of certified points";
    case Status::uncertified: return "pass the spec through certify() first";
    case Status::entropy_not_ready: return "wait for the entropy source, and begin a report before drawing";
    case Status::entropy_fault: return "repair the entropy source: its bytes failed";
    case Status::short_buffer: return "pass a buffer of the size that the spec needs";
  }
  return "";
}

}  // namespace sotto::analyzer
