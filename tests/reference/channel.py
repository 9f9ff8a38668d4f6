# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Exact output tables: the probability of every report for one input, as fractions, and their largest ratio.

A two-level stem is taken as it is written: every rank of both sides is put through its `outcome`, so a mistake in an order
of outcomes, a side that is too large or a report that is missing shows here.
"""
from collections import defaultdict
from fractions import Fraction

from . import laplace, window
from .exp_neg import exp_bounds_nano

WORD = 2**32


def table_of_answer(stem, spec, threshold, answer):
    outcomes, inside = stem.channel(spec)
    table = defaultdict(Fraction)
    for rank in range(inside):
        table[stem.outcome(spec, answer, True, rank)] += Fraction(threshold, WORD * inside)
    for rank in range(outcomes - inside):
        table[stem.outcome(spec, answer, False, rank)] += Fraction(WORD - threshold, WORD * (outcomes - inside))
    return table


def table(stem, spec, threshold, x, public=None):
    """P(report | x) for one input."""
    if stem is not window:
        return table_of_answer(stem, spec, threshold, stem.answer(spec, x, public))
    low = window.level(spec, x, WORD - 1)
    high = window.level(spec, x, 0)
    position = (max(-32768, min(x, 32768)) + 32768) * (spec["outcomes"] - spec["width"])
    up = Fraction(position & 65535, 65536)
    mixed = defaultdict(Fraction)
    for level, weight in ((low, 1 - up), (high, up)):
        for report, p in table_of_answer(stem, spec, threshold, level).items():
            mixed[report] += weight * p
    return mixed


def largest_ratio(tables):
    """The largest P(y|x) / P(y|x') over all reports and pairs of inputs; every table must list every report."""
    reports = set(tables[0])
    for t in tables:
        assert set(t) == reports and sum(t.values()) == 1
    return max(max(t[y] for t in tables) / min(t[y] for t in tables) for y in reports)


def is_private(ratio, epsilon_nano):
    return ratio <= exp_bounds_nano(epsilon_nano)[0]


def is_private_at_nominal(ratio, epsilon_nano, loss_nano):
    """Private, and not by more than loss_nano below the stated epsilon."""
    return is_private(ratio, epsilon_nano) and ratio >= exp_bounds_nano(epsilon_nano - loss_nano)[1]


def laplace_weights(spec, epsilon_nano):
    """The law of g1 - g2 mod N in integers: every weight is over 2^(128 bits)."""
    limits = laplace.thresholds(spec, epsilon_nano)
    law = [1]
    for limit in reversed(limits):
        law = [p * q for p in law for q in (2**64 - limit, limit)]
    size = len(law)
    return [sum(law[(down + z) % size] * law[down] for down in range(size)) for z in range(size)]


def laplace_largest_ratio(spec, epsilon_nano):
    """Over all reports and pairs of values at most 2G apart."""
    noise = laplace_weights(spec, epsilon_nano)
    size = len(noise)
    assert sum(noise) == 2**(128 * spec["bits"])
    return max(Fraction(noise[z], noise[(z + shift) % size])
               for shift in range(1, 2 * spec["radius"] + 1) for z in range(size))
