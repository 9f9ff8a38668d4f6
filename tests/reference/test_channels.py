# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Exact certificates: every input of small instances, every report, in fractions."""
import unittest
from fractions import Fraction
from itertools import product

from . import (block, channel, cross_polytope, grr, hadamard_response, hemisphere, laplace, sphere_code, stem, vote,
               walsh_hash, window)
from .coins import Public
from .vector_seeds import edge_vectors, identity, private_of, seed, vector

EPSILONS = (100_000_000, 500_000_000, 10**9, 2 * 10**9, 4 * 10**9, 8 * 10**9)


class Certificates(unittest.TestCase):
    def certify(self, module, spec, inputs, public=None):
        """Max ratio at most e^epsilon, and the loss against the stated epsilon below a millionth."""
        for epsilon in EPSILONS:
            threshold = stem.derive(module, spec, epsilon)
            tables = [channel.table(module, spec, threshold, x, public) for x in inputs]
            ratio = channel.largest_ratio(tables)
            self.assertTrue(channel.is_private(ratio, epsilon), (spec, epsilon))
            if ratio > 1:
                self.assertTrue(channel.is_private_at_nominal(ratio, epsilon, max(epsilon // 10**6, 2)), (spec, epsilon))
            raised = [channel.table(module, spec, threshold + (threshold >> 20), x, public) for x in inputs]
            if ratio > 1:
                self.assertFalse(channel.is_private(channel.largest_ratio(raised), epsilon))

    def publics(self):
        return [Public(*identity(n)) for n in range(3)]

    def test_grr(self):
        for c in (2, 3, 7):
            self.certify(grr, {"categories": c}, range(c + 2))

    def test_walsh_hash(self):
        for public in self.publics():
            self.certify(walsh_hash, {"categories": 11, "bits": 3}, range(13), public)

    def test_vote(self):
        for public in self.publics():
            self.certify(vote, {"features": 9, "oracle": 2, "bits": 2}, range(12), public)
        self.certify(vote, {"features": 4, "oracle": 1, "bits": 0}, range(7))

    def test_hadamard_response(self):
        for log2_size, c in ((2, 3), (4, 15), (5, 20)):
            self.certify(hadamard_response, {"log2_size": log2_size, "categories": c}, range(c + 2))

    def test_block(self):
        for width, flips in ((1, 0), (3, 1), (5, 2), (5, 4)):
            self.certify(block, {"width": width, "flips": flips}, range(2**(width + 1)))

    def test_window(self):
        values = [-40000, -32768, -32767, -16384, -5, 0, 7, 11111, 32767, 32768, 99999]
        for k, w in ((2, 1), (3, 1), (12, 3), (16, 4), (5, 4)):
            self.certify(window, {"outcomes": k, "width": w}, values)

    def test_hemisphere(self):
        inputs = list(product((-32768, -1, 0, 1, 32767), repeat=3))
        for public in self.publics():
            self.certify(hemisphere, {"dimension": 3}, inputs, public)

    def test_cross_polytope(self):
        for closest in (1, 9, 64):
            self.certify(cross_polytope, {"log2_size": 6, "dimension": 5, "closest": closest}, edge_vectors(5), self.publics()[0])

    def test_sphere_code(self):
        for codewords, closest in ((2, 1), (16, 5), (64, 40)):
            spec = {"dimension": 4, "codewords": codewords, "closest": closest}
            self.certify(sphere_code, spec, edge_vectors(4) + [vector(str(n), 4) for n in range(20)], self.publics()[1])

    def test_laplace_spends_between_its_bits_and_the_stated_epsilon(self):
        for epsilon in EPSILONS:
            for radius in (1, 2, 3, 8):
                spec = {"radius": radius, "bits": laplace.derive_bits(radius, epsilon)}
                if spec["bits"] <= 9:
                    ratio = channel.laplace_largest_ratio(spec, epsilon)
                    self.assertTrue(channel.is_private_at_nominal(ratio, epsilon, max(epsilon // 10**6, 20)), (spec, epsilon))


class Shapes(unittest.TestCase):
    def test_estimates_need_the_same_inside_for_every_input(self):
        spec = {"log2_size": 6, "dimension": 9, "closest": 9}
        for x in edge_vectors(9):
            self.assertEqual(len(set(cross_polytope.answer(spec, x, Public(*identity(0))))), 9)

    def test_zero_vectors_take_the_first_axes(self):
        spec = {"log2_size": 6, "dimension": 9, "closest": 4}
        self.assertEqual(cross_polytope.answer(spec, [0] * 9, Public(*identity(0))), [0, 2, 4, 6])

    def test_words_drawn_do_not_depend_on_the_input(self):
        rows = ((grr, {"categories": 5}, range(7)), (window, {"outcomes": 12, "width": 3}, (-40000, 0, 77, 32768)),
                (block, {"width": 5, "flips": 2}, range(32)), (cross_polytope, {"log2_size": 6, "dimension": 5, "closest": 9}, edge_vectors(5)),
                (sphere_code, {"dimension": 5, "codewords": 16, "closest": 5}, edge_vectors(5)))
        for module, spec, inputs in rows:
            for number in range(20):
                drawn = set()
                for x in inputs:
                    private = private_of(seed("entropy", number))
                    stem.report(module, spec, stem.derive(module, spec, 10**9), x, Public(*identity(number)), private)
                    drawn.add(private.drawn)
                self.assertEqual(len(drawn), 1)

    def test_window_rounds_without_bias(self):
        spec = {"outcomes": 12, "width": 3}
        for x in (-32768, -20000, 1, 32767):
            position = Fraction((x + 32768) * 9, 65536)
            mean = Fraction(sum(window.level(spec, x, word << 16) for word in range(65536)), 65536)
            self.assertEqual(mean, position)

    def test_patterns_without_the_list_are_the_sorted_ones(self):
        wide = sorted(range(2**13), key=lambda word: (word.bit_count(), word))
        self.assertEqual([block.pattern(13, rank) for rank in range(2**13)], wide)

    def test_public_blocks_are_subsets(self):
        for n in range(50):
            taken = block.public_block(8, 9, Public(seed("study", n), n, 0))
            self.assertTrue(len(set(taken)) == 8 and set(taken) <= set(range(9)))

    def test_vote_oracle_is_the_one_with_the_smaller_variance(self):
        expected = {(500_000_000, 1024): (2, 1), (10**9, 1024): (2, 2), (2 * 10**9, 1024): (2, 3), (3 * 10**9, 1024): (2, 4),
                    (4 * 10**9, 1024): (2, 6), (6 * 10**9, 10000): (2, 9), (2 * 10**9, 20): (1, 0), (4 * 10**9, 100): (1, 0)}
        for (epsilon, features), chosen in expected.items():
            self.assertEqual(vote.choose_oracle(features, epsilon), chosen)
