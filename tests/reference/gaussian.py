# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""The discrete Gaussian on the grid (section 8)."""
from math import isqrt

from .digest import digest_of
from .exp_neg import check_epsilon
from .refused import require

NUMBER, FIELDS = 10, ("radius", "variance", "dimension")
INVERSE_E = (0x5e2d58d8, 0xb3bcdf1a, 0xbadec782, 0x9054f90d)  # the first 128 bits of e^-1


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


def fraction(a, n, private):
    """True with probability a/n: a uniform number below n is below a. Its upper word is drawn first and may suffice."""
    if n < 2**32:
        return private.below(n) < a
    kept, last, edge = 2**((n - 1) >> 32).bit_length() - 1, (n - 1) >> 32, a >> 32
    while True:
        high = private.word() & kept
        if high > last:
            continue
        if high not in (last, edge):
            return high < edge
        candidate = high << 32 | private.word()
        if candidate < n:
            return candidate < a


def exp_fraction(a, b, private):
    """True with probability e^(-a/b)."""
    for k in range(1, 33):
        if not fraction(a, k * b, private):
            return k % 2 == 1
    return True


def inverse_e(private):
    """True with probability e^-1, cut after 128 bits."""
    for digit in INVERSE_E:
        word = private.word()
        if word != digit:
            return word < digit
    return False


def exp_coin(numerator, denominator, private):
    while numerator >= denominator:
        if not inverse_e(private):
            return False
        numerator -= denominator
    return exp_fraction(numerator, denominator, private)


def discrete_laplace(t, private):
    while True:
        u, negative = divmod(private.below(2 * t), 2)
        if not exp_fraction(u, t, private):
            continue
        v = 0
        while v < 64 and inverse_e(private):
            v += 1
        y = u + t * v
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
