// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Parameters of the window randomizer, which reports one of K outcomes, mostly one of the w around the rounded answer:
// their check, channel and encoding.
#include "sotto/spec/window.hpp"

namespace sotto {

TwoLevel channel(const WindowSpec& spec) noexcept { return {spec.outcomes, spec.width, spec.threshold}; }

Status check_parameters(const WindowSpec& spec) noexcept {
  const bool fits =
      spec.outcomes >= 2 && spec.outcomes <= k_window_outcomes_max && spec.width >= 1 && spec.width < spec.outcomes;
  return fits ? Status::ok : Status::bad_channel;
}

void encode_fields(const WindowSpec& spec, ByteWriter& out) noexcept {
  out.u32(spec.outcomes);
  out.u32(spec.width);
  out.u32(spec.threshold);
}

}  // namespace sotto
