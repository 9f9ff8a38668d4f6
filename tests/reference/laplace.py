# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Discrete Laplace noise modulo N = 2^bits: two geometric numbers, made of independent bits."""
from .digest import digest_of
from .exp_neg import check_epsilon, exp_neg, q40_of_nano
from .refused import require

NUMBER, FIELDS = 9, ("radius", "bits")
ROUNDING_NANO = 16
LARGEST_RADIUS, LARGEST_BITS = 4096, 24
LARGEST_EXPONENT_Q40 = 25912195082717  # floor(34 ln 2 * 2^40)


def unit_exponent_q40(radius, epsilon_nano):
    """H: the exponent of one grid step."""
    require(epsilon_nano > ROUNDING_NANO, "bad_epsilon")
    return q40_of_nano(epsilon_nano - ROUNDING_NANO) // (2 * radius)


def derive_bits(radius, epsilon_nano):
    """The largest number of bits whose rarest coin is above 2^-34; the noise must cover the range twice."""
    h = unit_exponent_q40(radius, epsilon_nano)
    require(h > 0, "bad_channel")
    bits = (LARGEST_EXPONENT_Q40 // h).bit_length()
    require((4 * radius).bit_length() <= bits <= LARGEST_BITS, "bad_channel")
    return bits


def check(spec, epsilon_nano, cap_nano):
    require(1 <= spec["radius"] <= LARGEST_RADIUS, "bad_channel")
    require(1 <= spec["bits"] <= LARGEST_BITS, "bad_channel")
    check_epsilon(epsilon_nano, cap_nano)
    require(spec["bits"] == derive_bits(spec["radius"], epsilon_nano), "bad_channel")


def thresholds(spec, epsilon_nano):
    """t_j: the largest t with t (2^64 + R_j) <= 2^64 R_j."""
    h = unit_exponent_q40(spec["radius"], epsilon_nano)
    r = [exp_neg(h << j) for j in range(spec["bits"])]
    return [(r_j << 64) // (2**64 + r_j) for r_j in r]


def geometric(limits, private):
    return sum((private.word64() < limit) << j for j, limit in enumerate(limits))


def report(spec, epsilon_nano, x, private):
    limits = thresholds(spec, epsilon_nano)
    x = max(-spec["radius"], min(x, spec["radius"]))
    up = geometric(limits, private)
    down = geometric(limits, private)
    return (x + up - down) % 2**spec["bits"]


def digest(spec, epsilon_nano):
    return digest_of(NUMBER, epsilon_nano, [spec[name] for name in FIELDS], 0)
