# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""e^-y from above, and what the two-level channels make of it."""
import unittest
from fractions import Fraction

from . import two_level
from .exp_neg import exp_bounds, exp_bounds_nano, exp_neg, exp_neg_nano, q40_of_nano
from .refused import status_of

# (epsilon, M, k, T): floor(2^32 kE / (kE + M - k)), computed with sixty digits.
SIXTY_DIGITS = (
    ("0.5", 2, 1, 2673442470), ("1", 2, 1, 3139872686), ("2", 2, 1, 3782994644), ("4", 2, 1, 4217717112),
    ("6", 2, 1, 4284347460), ("8", 2, 1, 4293526978), ("12", 2, 1, 4294940906),
    ("0.5", 128, 54, 2345474990), ("1", 128, 45, 2558762208), ("2", 128, 28, 2895469976), ("4", 128, 9, 3457622850),
    ("6", 128, 2, 3714851009), ("8", 128, 1, 4119462720), ("1", 256, 89, 2540963786), ("4", 256, 17, 3415490905),
    ("8", 256, 1, 3956515231), ("1", 512, 177, 2532008365), ("2", 512, 111, 2884630970), ("4", 512, 33, 3392939760),
    ("1.5", 3, 1, 2969705547), ("2", 3, 1, 3380079313), ("3", 7, 2, 3819556050), ("4", 12, 3, 4071263897),
    ("5", 26, 5, 4176767379), ("6", 16, 2, 4221715195), ("6", 48, 7, 4233503573), ("8", 64, 5, 4278032878),
    ("1", 4, 1, 2041685230), ("2", 8, 1, 2205548027), ("3", 16, 1, 2458754568), ("4", 64, 1, 1994055763))
EPSILONS = (1, 100, 100_000_000, 500_000_000, 10**9, 2 * 10**9, 4 * 10**9, 8 * 10**9, 12 * 10**9)
SHAPES = ((2, 1), (3, 1), (3, 2), (16, 4), (512, 33), (4096, 4095), (2**24, 1), (2**31, 2**30))


def nano(text):
    return int(Fraction(text) * 10**9)


class ExpNeg(unittest.TestCase):
    def test_is_an_upper_bound_and_close(self):
        steps = [0, 1, 2, 3, 1000, 2**20, *range(2**34, 2**46, 2**40 + 987654321), 2**46 - 1]
        for h in steps:
            low, high = exp_bounds(-Fraction(h, 2**40))
            r = Fraction(exp_neg(h), 2**64)
            self.assertTrue(r >= low or exp_neg(h) == 2**64 - 1, h)
            self.assertLess(r - low, high / 2**36 + Fraction(1, 2**61), h)

    def test_does_not_grow(self):
        values = [exp_neg(h) for h in range(0, 2**46, 2**37 + 12345)]
        self.assertEqual(values, sorted(values, reverse=True))

    def test_nano_nats_are_rounded_down(self):
        for e in EPSILONS:
            exact = Fraction(e * 2**40, 10**9)
            self.assertTrue(exact - 2 < q40_of_nano(e) <= exact)


class Thresholds(unittest.TestCase):
    def test_are_those_of_sixty_digits(self):
        for epsilon, m, k, t in SIXTY_DIGITS:
            self.assertEqual(two_level.derive(m, k, nano(epsilon)), t, (epsilon, m, k))

    def test_never_spend_more_and_lose_less_than_a_millionth(self):
        for e in EPSILONS[2:8]:
            for m, k in SHAPES:
                t = two_level.derive(m, k, e)
                ratio = Fraction(t * (m - k), k * (2**32 - t))
                self.assertLessEqual(ratio, exp_bounds_nano(e)[0])
                if (m, k) not in ((2**24, 1), (4096, 4095)):  # few units of T there: the loss is the grid's
                    self.assertGreaterEqual(ratio, exp_bounds_nano(e - max(e // 10**6, 2))[1], (e, m, k))

    def test_one_more_is_refused(self):
        for e in EPSILONS:
            for m, k in SHAPES:
                if status_of(two_level.derive, m, k, e) == "ok":
                    t = two_level.derive(m, k, e)
                    self.assertEqual(status_of(two_level.check, m, k, t, e), "ok")
                    self.assertEqual(status_of(two_level.check, m, k, t + 1, e), "overspent")

    def test_of_a_coin_is_refused_wherever_it_would_overspend(self):
        for e in EPSILONS[2:8]:
            coin = two_level.derive(2, 1, e)
            for m in (3, 4, 8, 64, 512):
                for k in range(1, m):
                    ratio = Fraction(coin * (m - k), k * (2**32 - coin))
                    spends_more = max(ratio, 1 / ratio) > exp_bounds_nano(e)[1]
                    if spends_more:
                        self.assertEqual(status_of(two_level.check, m, k, coin, e), "overspent", (e, m, k))

    def test_delivered_is_the_smallest_accepted(self):
        for e in EPSILONS[2:8]:
            for m, k in SHAPES:
                t = two_level.derive(m, k, e)
                d = two_level.delivered(m, k, t)
                self.assertLessEqual(d, e)
                self.assertTrue(two_level.lines_hold(m, k, t, d))
                self.assertFalse(two_level.lines_hold(m, k, t, d - 1))

    def test_equal_levels_deliver_one_and_a_sure_coin_is_past_the_range(self):
        self.assertEqual(two_level.delivered(2, 1, 2**31), 1)
        self.assertEqual(two_level.delivered(2, 1, 2**32 - 1), 12 * 10**9 + 1)

    def test_too_small_an_epsilon_for_the_grid(self):
        self.assertEqual(status_of(two_level.derive, 16777213, 1, 1), "bad_epsilon")
        self.assertGreaterEqual(exp_neg_nano(1), exp_neg_nano(2))
