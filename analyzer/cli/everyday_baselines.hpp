// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sotto/analyzer/math/xoshiro.hpp"

// Other people's ways to ask everyday questions, from their published formulas and in doubles, for `sotto bench
// everyday`. They protect nothing here: no device runs them.
namespace sotto::cli {

/// Optimized local hashing, Wang et al. 2017: g = e^epsilon + 1 buckets to the nearest, a random hash for each device.
/// The unbiased share of each of d categories.
[[nodiscard]] std::vector<double> olh_shares(std::span<const std::uint32_t> values, std::uint32_t d, double epsilon,
                                             analyzer::Xoshiro& random);

/// The shares that are not negative and add up to 1, nearest to these: the consistency step of Wang et al. 2020.
[[nodiscard]] std::vector<double> norm_sub(std::vector<double> shares);

/// The square wave with expectation maximisation and smoothing, Li et al. 2020: the distribution of places in [0, 1]
/// over 256 bins, EM stopped when the log-likelihood gains less than 10^-3 e^epsilon.
[[nodiscard]] std::vector<double> square_wave(std::span<const double> places, double epsilon,
                                              analyzer::Xoshiro& random);

/// The prefix extending method, Wang et al. 2021: groups of devices answer with longer and longer prefixes by OLH, the
/// best 2 k are extended, and the last group names the k most common with their shares.
[[nodiscard]] std::vector<std::pair<std::uint64_t, double>> prefix_extending(std::span<const std::uint64_t> ids,
                                                                             std::size_t k, double epsilon,
                                                                             analyzer::Xoshiro& random);

}  // namespace sotto::cli
