# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""An upper bound of e^-y in Q64 (section 2), and the true value to sixty digits to compare it with."""
import decimal
from fractions import Fraction

from .refused import require

LARGEST_EPSILON_NANO = 12_000_000_000
NANO_TO_Q40 = 2**93 // 10**9
DIGITS = decimal.Context(prec=80, Emin=-999999, Emax=999999)


def ceil_shift(value, bits):
    return -(-value >> bits)


def exp_neg(h):
    """R >= 2^64 e^-y for y = h / 2^40."""
    assert 0 <= h < 2**46
    s = min(2**64 - h + ceil_shift(h * h, 65), 2**64 - 1)
    for _ in range(24):
        s = ceil_shift(s * s, 64)
    return s


def q40_of_nano(epsilon_nano):
    return ((epsilon_nano << 11) * NANO_TO_Q40) >> 64


def exp_neg_nano(epsilon_nano):
    return exp_neg(q40_of_nano(epsilon_nano))


def check_epsilon(epsilon_nano, cap_nano):
    require(1 <= epsilon_nano <= LARGEST_EPSILON_NANO, "bad_epsilon")
    require(epsilon_nano <= cap_nano, "over_cap")


def exp_bounds(exponent):
    """Fractions just below and just above e^exponent, for a Fraction with a denominator of 2s and 5s.

    Python's Decimal.exp is correctly rounded at the context's 80 digits; 10^-75 of slack covers it.
    """
    y = DIGITS.divide(decimal.Decimal(exponent.numerator), decimal.Decimal(exponent.denominator))
    assert Fraction(y) == exponent
    value, slack = Fraction(DIGITS.exp(y)), Fraction(1, 10**75)
    return value * (1 - slack), value * (1 + slack)


def exp_bounds_nano(epsilon_nano):
    return exp_bounds(Fraction(epsilon_nano, 10**9))
