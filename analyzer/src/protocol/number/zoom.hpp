// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <optional>

#include "rounds.hpp"

// Where most readings are: the choice of the range that is measured.
namespace sotto::analyzer {

/// The bins of a zoom round that so many devices answer: 16, 32 or 64, the more the less noise they have.
[[nodiscard]] std::uint32_t zoom_bins(EpsilonNano epsilon, double devices);

/// The narrowest run of bins that holds almost all mass, with half its width added on both sides; nothing where the
/// noise of a bin leaves no choice, or where no run is narrower than the range.
[[nodiscard]] std::optional<Range> zoomed(const Range& of, const Shares& bins);

/// The range after a check of below, inside and above: a side with too many readings is moved by a width or two, with very
/// many to the end of `far`, and never beyond what the study states.
[[nodiscard]] Range widened(const Range& inside, const Range& far, const Range& stated, const Shares& cells);
/// The range with its width added on both sides, within what the study states.
[[nodiscard]] Range grown(const Range& range, const Range& stated);

}  // namespace sotto::analyzer
