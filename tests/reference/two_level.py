# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Two-level channels (section 3): check, derived threshold, delivered epsilon, draw."""
from .exp_neg import LARGEST_EPSILON_NANO, ceil_shift, exp_neg_nano
from .refused import require


def check_shape(outcomes, inside):
    require(1 <= inside < outcomes <= 2**31, "bad_channel")


def inside_line(outcomes, inside, threshold, r):
    return ceil_shift(threshold * (outcomes - inside) * r, 64) <= inside * (2**32 - threshold)


def outside_line(outcomes, inside, threshold, r):
    return ceil_shift(inside * (2**32 - threshold) * r, 64) <= threshold * (outcomes - inside)


def lines_hold(outcomes, inside, threshold, epsilon_nano):
    r = exp_neg_nano(epsilon_nano)
    return inside_line(outcomes, inside, threshold, r) and outside_line(outcomes, inside, threshold, r)


def check(outcomes, inside, threshold, epsilon_nano):
    check_shape(outcomes, inside)
    require(0 < threshold < 2**32, "overspent")
    require(lines_hold(outcomes, inside, threshold, epsilon_nano), "overspent")


def derive(outcomes, inside, epsilon_nano):
    """The largest threshold of the first line; the line is monotone, so bits are decided from the top."""
    check_shape(outcomes, inside)
    require(1 <= epsilon_nano <= LARGEST_EPSILON_NANO, "bad_epsilon")
    r, threshold = exp_neg_nano(epsilon_nano), 0
    for bit in reversed(range(32)):
        if inside_line(outcomes, inside, threshold | 1 << bit, r):
            threshold |= 1 << bit
    require(threshold > 0 and outside_line(outcomes, inside, threshold, r), "bad_epsilon")
    return threshold


def delivered(outcomes, inside, threshold):
    """The smallest epsilon, from 1 on, at which both lines hold; one more than 12 nats when none does."""
    low, high = 1, LARGEST_EPSILON_NANO + 1
    while low < high:
        middle = (low + high) // 2
        if lines_hold(outcomes, inside, threshold, middle):
            high = middle
        else:
            low = middle + 1
    return low


def draw(outcomes, inside, threshold, coins):
    """(is inside, rank); the words drawn do not depend on the answer, nor on the side."""
    coin = coins.word()
    rank_inside = coins.below(inside)
    rank_outside = coins.below(outcomes - inside)
    return (True, rank_inside) if coin < threshold else (False, rank_outside)
