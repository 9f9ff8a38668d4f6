#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""The certified (epsilon, delta) points of the discrete Gaussian, and how much variance each needs.

  gaussian_points.py                writes shared/include/sotto/spec/gaussian_points.hpp (minutes)
  gaussian_points.py --check        the committed ratios hold for some radii, and are the best for vectors (seconds)
  gaussian_points.py --check --all  the committed file is what would be written: every radius, every shift (minutes)

The loss at shift s. P(z-s)/P(z) = exp((2zs - s^2) / 2v) grows with z, so the sum of max(0, P(z-s) - e^eps P(z)) is a
difference of two tails, T(m-s) - e^eps T(m), from the first m where the ratio passes e^eps: m = eps v/s + s/2, rounded up.

Arithmetic. Tails are sums of at most 10^5 positive doubles, smallest first: relative error below 10^5 * 2^-53 for the sum
and 100 * 2^-53 for the argument of exp, together below 2e-11; TAIL_ERROR is five times that. Terms beyond 9.5 standard deviations are less
than 1e-19 of the mass. An m that is off by one because of rounding changes the difference by a term that is itself a
rounding error.

Larger variances. Acceptance is "at least", so every variance above the tested one must hold too, and on a coarse grid the
loss is not monotone. Let X and Y be discrete Gaussians with variances v and w. Then P[X+Y = z] is exp(-z^2 / 2(v+w)) times
sum_x exp(-(x - cz)^2 / 2u), u = 1/(1/v + 1/w), and by Poisson summation that sum is constant up to 1 +- eta,
eta <= 2.1 exp(-2 pi^2 u). So the discrete Gaussian of variance v+w is a post-processing of the one of variance v up to a
factor (1+eta)/(1-eta), and its delta is larger by at most 8 eta. With v >= 16 and w >= 2, 8 eta < 1e-14: testing every variance up to
max(v, 16) + 1 covers all larger ones. MARGIN is that 1e-14 and as much again for the rest.
"""
import math
import sys
from pathlib import Path

EPSILONS_NANO = (500_000_000, 1_000_000_000, 2_000_000_000, 4_000_000_000, 8_000_000_000)
DELTA_POWERS = (3, 5, 6, 8)
TAIL_ERROR, MARGIN = 1e-10, 2e-14
LARGEST_RADIUS, LARGEST_DIMENSION = 512, 4096
SOME_RADII = (1, 2, 3, 4, 5, 6, 7, 8, 13, 32, 64, 128)
HEADER = Path(__file__).resolve().parents[2] / "shared/include/sotto/spec/gaussian_points.hpp"


def tails(variance):
    """t[z] = sum of exp(-y^2 / 2v) over y >= z >= 0, and the sum over all integers."""
    t, total, rate = [0.0] * (math.ceil(9.5 * math.sqrt(variance)) + 2), 0.0, -0.5 / variance
    for z in range(len(t) - 2, -1, -1):
        total += math.exp(rate * (z * z))
        t[z] = total
    return t, 2 * t[0] - 1


def largest_delta(variance, epsilon, largest_shift):
    """An upper bound of the loss, over all shifts."""
    t, mass = tails(variance)
    last, e_down, worst = len(t) - 1, math.exp(epsilon) * (1 - TAIL_ERROR), 0.0
    for s in range(1, largest_shift + 1):
        m = math.ceil(epsilon * variance / s + s / 2)
        near = m - s
        before = t[min(near, last)] if near >= 0 else mass - t[min(1 - near, last)]
        worst = max(worst, before * (1 + TAIL_ERROR) - e_down * t[min(m, last)])
    return worst / (mass * (1 - TAIL_ERROR))


def holds(radius, variance, epsilon, delta):
    """Whether this variance and every larger one give (epsilon, delta) at sensitivity 2 radius."""
    limit = delta / 2**64 - 2.0**-64 - MARGIN
    tested = range(variance, max(variance, 16) + 2)
    return all(largest_delta(v, epsilon, 2 * radius) <= limit for v in tested)


def smallest_variance(radius, enough, epsilon, delta):
    low, high = 0, enough
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(radius, middle, epsilon, delta) else (middle, high)
    return high


def variance_of(ratio_q16, radius):
    return -(-ratio_q16 * (2 * radius)**2 >> 16)


def scalar_ratio(vector_ratio_q16, epsilon, delta):
    """Smallest ratio for all radii; the vector ratio is enough for any."""
    ratio = 1
    for radius in range(LARGEST_RADIUS, 0, -1):
        if not holds(radius, max(variance_of(ratio, radius), 1), epsilon, delta):
            need = smallest_variance(radius, variance_of(vector_ratio_q16, radius), epsilon, delta)
            ratio = ((need - 1) << 16) // (2 * radius)**2 + 1
    return ratio


def concentrated_delta(rho, epsilon):
    """Canonne, Kamath and Steinke's delta of rho-zCDP; every alpha is valid, the search only makes it small."""
    def log_delta(alpha):
        return (alpha - 1) * (alpha * rho - epsilon) + alpha * math.log1p(-1 / alpha) - math.log(alpha - 1)
    low, high = 1 + 1e-9, 2 + epsilon / rho
    for _ in range(200):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, right) if log_delta(left) < log_delta(right) else (left, high)
    return math.exp(log_delta((low + high) / 2)) * (1 + 1e-9)


def vector_ratio(epsilon, delta):
    low, high = 0, 2**30
    limit = (delta - LARGEST_DIMENSION) / 2**64
    while high - low > 1:
        middle = (low + high) // 2
        enough = concentrated_delta(2**15 / middle, epsilon) <= limit
        low, high = (low, middle) if enough else (middle, high)
    return high


def certified_points():
    """(epsilon_nano, delta) -> (scalar ratio, vector ratio)."""
    points = {}
    for epsilon_nano in EPSILONS_NANO:
        for power in DELTA_POWERS:
            epsilon, delta = epsilon_nano / 1e9, 2**64 // 10**power
            vector = vector_ratio(epsilon, delta)
            points[epsilon_nano, delta] = (scalar_ratio(vector, epsilon, delta), vector)
    return points


def header_text(points):
    rows = "\n".join(f"    {{{e}U, {d}U, {s}U, {v}U}}," for (e, d), (s, v) in points.items())
    return f"""// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
// Generated by tests/reference/gaussian_points.py, which states what is certified and how. Do not edit.
#pragma once

/// \\file
/// The (epsilon, delta) pairs for which the discrete Gaussian randomizer is certified, each with its variance.
/// A device accepts no other pair, so that it needs no floating point to check one.

#include <array>
#include <cstdint>

namespace sotto {{

/// Variance needed at (epsilon, delta), as a ratio to the square of the sensitivity, in units of 2^-16.
struct GaussianPoint {{
  std::uint64_t epsilon_nano;
  std::uint64_t delta;             ///< in units of 2^-64
  std::uint32_t scalar_ratio_q16;  ///< dimension 1
  std::uint32_t vector_ratio_q16;  ///< every dimension
}};

// clang-format off
inline constexpr std::array<GaussianPoint, {len(points)}> k_gaussian_points = {{{{
{rows}
}}}};
// clang-format on

}}  // namespace sotto
"""


def committed_points():
    rows = [line.strip(" {},").replace("U", "") for line in HEADER.read_text().splitlines() if line.startswith("    {")]
    return {(e, d): (s, v) for e, d, s, v in ([int(x) for x in row.split(",")] for row in rows)}


def check_some(points):
    """Every fault that a few radii can show."""
    wanted = [(e, 2**64 // 10**power) for e in EPSILONS_NANO for power in DELTA_POWERS]
    if list(points) != wanted:
        return ["the points are not the ones wanted"]
    faults = []
    for (epsilon_nano, delta), (scalar, vector) in points.items():
        epsilon, name = epsilon_nano / 1e9, f"({epsilon_nano}, {delta})"
        if vector != vector_ratio(epsilon, delta):
            faults.append(f"{name}: vector ratio {vector}")
        faults += [f"{name}: radius {radius}" for radius in SOME_RADII
                   if not holds(radius, variance_of(scalar, radius), epsilon, delta)]
    return faults


def main(arguments):
    if "--check" not in arguments:
        HEADER.write_text(header_text(certified_points()))
        return 0
    faults = check_some(committed_points())
    if not faults and "--all" in arguments and header_text(certified_points()) != HEADER.read_text():
        faults = ["the file is not what would be written"]
    for fault in faults:
        print(f"{HEADER.name}: {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
