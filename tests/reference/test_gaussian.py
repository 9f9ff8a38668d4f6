# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""The discrete Gaussian: every sub-coin's probability, the law that they build, the clip, and the points."""
import unittest
from fractions import Fraction
from math import factorial, isqrt

from . import gaussian
from .exp_neg import exp_bounds
from .gaussian_points import concentrated_delta, holds, largest_delta
from .vector_seeds import private_of, seed, vector


def exp_fraction_law(a, b):
    """The exact probability that gaussian.exp_fraction is true: it stops at K after K-1 double successes."""
    ratio, true = Fraction(a, b), Fraction(0)
    reach = [ratio**n / factorial(n) for n in range(33)]
    for k in range(1, 33):
        if k % 2:
            true += reach[k - 1] - reach[k]
    return true + reach[32]


def inverse_e_law():
    """The exact probability that gaussian.inverse_e is true: below one of the digits after equal ones."""
    return sum(Fraction(digit, 2**(32 * (i + 1))) for i, digit in enumerate(gaussian.INVERSE_E))


def gaussian_law(variance, digits=400):
    """The law of one accepted draw, from the laws of its coins; numbers are cut at 2^-digits, far below the claim."""
    def cut(p):
        return Fraction(int(p * 2**digits), 2**digits)
    t, e1 = isqrt(variance) + 1, inverse_e_law()
    weights = {}
    for v in range(65):
        run = cut(e1**v * (1 - e1 if v < 64 else 1))
        for u in range(t):
            y = u + t * v
            numerator, denominator = (y * t - variance)**2, 2 * variance * t * t
            whole, rest = divmod(numerator, denominator)
            accept = e1**whole * exp_fraction_law(rest, denominator) if whole < 400 else 0
            weights[y] = cut(exp_fraction_law(u, t) * run * cut(accept))
    total = weights[0] + 2 * sum(w for y, w in weights.items() if y)
    return {y: w / total for y, w in weights.items()}


class Samplers(unittest.TestCase):
    def test_exp_fraction_is_exact_to_2_to_minus_117(self):
        for a, b in ((0, 1), (1, 1), (1, 2), (3, 7), (65535, 65536)):
            p = exp_fraction_law(a, b)
            ones = 20  # e^-(a/b) by its series, a rational with a known remainder
            series = sum(Fraction((-1)**n) * Fraction(a, b)**n / factorial(n) for n in range(2 * ones + 20))
            self.assertLess(abs(p - series), Fraction(1, 2**117))

    def test_inverse_e_is_cut_below_2_to_minus_128(self):
        low, high = exp_bounds(Fraction(-1))
        self.assertGreaterEqual(low, inverse_e_law())
        self.assertLess(high - inverse_e_law(), Fraction(1, 2**128))

    def test_inverse_e_compares_digit_by_digit(self):
        class Words(list):
            def word(self):
                return self.pop(0)
        for equal in range(4):
            for step in (-1, 1):
                words = Words(gaussian.INVERSE_E[:equal] + (gaussian.INVERSE_E[equal] + step,))
                self.assertEqual(gaussian.inverse_e(words), step < 0)
                self.assertEqual(words, [])
        self.assertFalse(gaussian.inverse_e(Words(gaussian.INVERSE_E)))

    def test_law_is_the_discrete_gaussian_to_2_to_minus_64(self):
        for variance in (1, 2, 5):
            law = gaussian_law(variance)
            ideal = {y: sum(exp_bounds(Fraction(-y * y * (10 // variance), 20))) / 2 for y in law}
            total = ideal[0] + 2 * sum(p for y, p in ideal.items() if y)
            distance = abs(law[0] - ideal[0] / total) + 2 * sum(abs(law[y] - ideal[y] / total) for y in law if y)
            self.assertLess(distance / 2, Fraction(1, 2**64))

    def test_moments_of_draws_with_a_fixed_seed(self):
        private = private_of(seed("entropy", 5))
        draws = [gaussian.discrete_gaussian(9, private) for _ in range(3000)]
        self.assertLess(abs(sum(draws) / 3000), 4 * 3 / 3000**0.5)
        self.assertLess(abs(sum(d * d for d in draws) / 3000 - 9), 4 * 9 * (2 / 3000)**0.5)


class Clip(unittest.TestCase):
    def test_is_inside_the_ball(self):
        for dimension in (2, 3, 9):
            for radius in (1, 7, 512):
                v = gaussian.clip({"dimension": dimension, "radius": radius}, vector("clip", dimension))
                self.assertLessEqual(sum(x * x for x in v), radius * radius)

    def test_truncates_toward_zero_and_keeps_what_is_inside(self):
        spec = {"dimension": 2, "radius": 5}
        self.assertEqual(gaussian.clip(spec, [3, -4]), [3, -4])
        self.assertEqual(gaussian.clip(spec, [5, -5]), [3, -3])
        self.assertEqual(gaussian.clip({"dimension": 1, "radius": 5}, [-6]), [-5])


class Points(unittest.TestCase):
    def test_loss_of_published_discrete_examples(self):
        """At the continuous analytic standard deviation the discrete loss differs from 1e-6 by known amounts."""
        for sensitivity, epsilon, ratio, expected in ((16, 1, 17.84815, 1.0e-6), (1, 4, 1.424, 0.48e-6)):
            found = largest_delta(ratio * sensitivity**2, epsilon, sensitivity)
            self.assertLess(abs(found / expected - 1), 0.02)

    def test_a_tenth_less_variance_does_not_hold(self):
        delta = 2**64 // 10**6
        self.assertTrue(holds(16, 18277, 1.0, delta))
        self.assertFalse(holds(16, 16449, 1.0, delta))

    def test_zcdp_conversion_is_above_the_exact_loss(self):
        self.assertGreater(concentrated_delta(1 / (2 * 17.85), 1.0), 1e-6)
