// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// From private means to what a model is worth: the gain with its interval, and the bounds that the verdict follows.

#include <cstdint>
#include <string_view>

#include "sotto/analyzer/model/model.hpp"

namespace sotto::analyzer {

/// An estimate with its standard error, of this many reports.
struct Measured {
  double value = 0, error = 0;
  std::uint64_t reports = 0;
};

/// Gain and bounds from an estimate of the gain itself, whose interval ends at +-limit.
[[nodiscard]] Validation gain_of(const Measured& gain, double limit);

/// The gain of a model of numbers over the mean of all: `better` is E (y - a)^2 - (y - b - f)^2, which is
/// 2 cov(y, f) - var(f) around the true means, and `variance` that of y.
/// Error  of R^2 = better / variance, by the delta method.
[[nodiscard]] Validation number_gain_of_all(const Measured& better, const Measured& variance);

/// The gain over the larger class of all, and the error: `upper` is P(upper) - P(lower), `right` P(right) - P(wrong).
/// |upper| is estimated too large where the classes are nearly equal. The lower bound keeps that, and the upper one takes
/// it back.
[[nodiscard]] Validation class_gain_of_all(const Measured& upper, const Measured& right);

/// Puts the error of classes, from P(right) - P(wrong).
void put_class_error(const Measured& right, Validation& out);

/// The verdict of every protocol. Without a model nothing was learned; without a measurement nobody knows, and `unmeasured`
/// says why; else it follows from the one-sided bounds of the gain. The numbers come first in `why_verdict`, what the
/// protocol says of its own estimates after them. A model of stated readings whose interval of the gain lies below zero,
/// or of classes or through a cosine whose gain is not measured to be above zero, is refuted: nothing in it is called
/// found and its intervals go. That of the gain becomes -1 to 0 where a model of numbers loses.
void judge(std::string_view unmeasured, Model& model);

/// Two independent estimates of one number, by inverse variance.
[[nodiscard]] Measured pooled(const Measured& a, const Measured& b);

}  // namespace sotto::analyzer
