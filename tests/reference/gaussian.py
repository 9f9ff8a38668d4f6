# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""The discrete Gaussian on the grid (section 8)."""
from math import isqrt

from .digest import digest_of
from .exp_neg import check_epsilon
from .refused import require

NUMBER, FIELDS = 10, ("radius", "variance", "dimension")


def least_variance(ratios, radius, dimension):
    return -(-ratios[dimension > 1] * (2 * radius)**2 >> 16)


def check(spec, epsilon_nano, delta, cap_nano, points):
    """`points` maps (epsilon_nano, delta) to (scalar ratio, vector ratio), both in 2^-16."""
    require(1 <= spec["dimension"] <= 4096, "bad_dimension")
    require(1 <= spec["radius"] <= 512, "bad_channel")
    require(1 <= spec["variance"] <= 2**25, "bad_channel")
    check_epsilon(epsilon_nano, cap_nano)
    require((epsilon_nano, delta) in points, "uncertified_point")
    least = least_variance(points[epsilon_nano, delta], spec["radius"], spec["dimension"])
    require(spec["variance"] >= least, "overspent")
    require(spec["dimension"] > 1 or spec["variance"] == least, "uncertified_point")


def clip(spec, values):
    radius = spec["radius"]
    if spec["dimension"] == 1:
        return [max(-radius, min(values[0], radius))]
    square = sum(v * v for v in values)
    if square <= radius * radius:
        return list(values)
    norm = isqrt(square - 1) + 1
    return [v * radius // norm if v >= 0 else -(-v * radius // norm) for v in values]


def below64(n, private):
    if n < 2**32:
        return private.below(n)
    kept = 2**(n - 1).bit_length() - 1
    while True:
        candidate = private.word64() & kept
        if candidate < n:
            return candidate


def exp_fraction(a, b, private):
    """True with probability e^(-a/b)."""
    for k in range(1, 33):
        if below64(k * b, private) >= a:
            return k % 2 == 1
    return True


def exp_coin(numerator, denominator, private):
    while numerator >= denominator:
        if not exp_fraction(1, 1, private):
            return False
        numerator -= denominator
    return exp_fraction(numerator, denominator, private)


def discrete_laplace(t, private):
    while True:
        u = private.below(t)
        if not exp_fraction(u, t, private):
            continue
        v = 0
        while v < 64 and exp_fraction(1, 1, private):
            v += 1
        y, negative = u + t * v, private.word() & 1
        if not (negative and y == 0):
            return -y if negative else y


def discrete_gaussian(variance, private):
    t = isqrt(variance) + 1
    while True:
        y = discrete_laplace(t, private)
        if exp_coin((abs(y) * t - variance)**2, 2 * variance * t * t, private):
            return y


def report(spec, values, private):
    noisy = [v + discrete_gaussian(spec["variance"], private) for v in clip(spec, values)]
    return [max(-2**23, min(v, 2**23 - 1)) for v in noisy]


def digest(spec, epsilon_nano, delta):
    return digest_of(NUMBER, epsilon_nano, [spec[name] for name in FIELDS], 0, delta)
