// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The result of an everyday question: named numbers with intervals, a distribution, and what was clipped.

#include <string>
#include <vector>

namespace sotto::analyzer {

/// One estimated number with its 95 % interval, in the reader's unit.
struct EverydayEstimate {
  std::string name;  ///< "mean", "standard deviation", "p90", "share", a category's or a period's name
  std::string unit;
  double value = 0;
  double low = 0, high = 0;
};

/// A bin of a distribution, or a category: the share of devices in it, with a 95 % interval.
struct EverydayCell {
  std::string name;            ///< of a category; empty for a bin
  double from = 0, until = 0;  ///< the ends of a bin
  double share = 0;
  double low = 0, high = 0;
};

/// An item of the list of the most common ones, with a 95 % interval that holds although only common ones are listed.
struct EverydayItem {
  std::string name;
  double share = 0;
  double low = 0, high = 0;
  double p_value = 1;  ///< for "no device has it", corrected for all candidates
};

/// The estimates of an everyday question.
struct Everyday {
  std::string kind;                         ///< "number"; empty: the model is of another sort
  std::string what;                         ///< one sentence: what the numbers are of
  std::vector<EverydayEstimate> estimates;  ///< the most important first
  std::vector<EverydayCell> cells;          ///< a distribution, or categories with the most frequent first
  std::vector<EverydayEstimate> series;     ///< one for each period, in their order
  std::vector<EverydayItem> items;          ///< the most common first
  std::vector<std::string> rows, columns;   ///< of a cross-tab, whose cells go row by row
  double association_p = 1, cramers_v = 0;  ///< of a cross-tab: p of independence; strength, 0 if none is seen
  double clip_low = 0, clip_high = 0;       ///< readings beyond these counted as these; equal: nothing is clipped
  double clipped = 0, clipped_error = 0;    ///< their share, with its standard error
};

}  // namespace sotto::analyzer
