// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <initializer_list>
#include <vector>

#include "rounds.hpp"

// What lies beyond the range that is measured, and how far it may move the mean of all readings.
namespace sotto::analyzer {

/// The share of devices with a reading in a category beyond the range.
struct Beyond {
  double share = 0;     ///< estimated, at least 0
  double most = 0;      ///< its upper bound: it holds in 97.5 % of studies
  double distance = 0;  ///< how far beyond the range such a reading may lie
};

/// Of a category of a round. For grr the bound is Wilson's of the reported share, mapped through the channel, so that
/// few reports do not make it small; nor does an estimate below 0.
[[nodiscard]] Beyond beyond_of(const AnySpec& spec, const Shares& shares, std::size_t category, double distance);

/// Of categories that exclude each other: their shares, and the bound of their sum.
[[nodiscard]] double share_beyond(std::initializer_list<std::vector<Beyond>> sides);
[[nodiscard]] double most_beyond(std::initializer_list<std::vector<Beyond>> sides);

/// The mean of all readings, of which `clipped` is the mean of those clipped to the range: it may be anywhere from no
/// reading beyond to all of them as far away as they may lie, with the noise of both rounds.
[[nodiscard]] EverydayEstimate mean_of_all(const EverydayEstimate& clipped, const std::vector<Beyond>& below,
                                           const std::vector<Beyond>& above);

}  // namespace sotto::analyzer
