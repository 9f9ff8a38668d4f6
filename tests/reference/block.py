# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""A block of k sign bits: words within t flips of the truth are inside."""
from functools import lru_cache
from math import comb

from .coins import MASKS_AND_BLOCKS, below
from .refused import require

NUMBER, FIELDS = 4, ("width", "flips")


def check_parameters(spec):
    require(1 <= spec["width"] <= 24, "bad_channel")
    require(0 <= spec["flips"] < spec["width"], "bad_channel")


def channel(spec):
    return 2**spec["width"], sum(comb(spec["width"], i) for i in range(spec["flips"] + 1))


@lru_cache(maxsize=8)
def sorted_patterns(width):
    return sorted(range(2**width), key=lambda word: (word.bit_count(), word))


def pattern(width, rank):
    """The rank-th word by (number of set bits, value), without the list: from the top bit down."""
    if width <= 12:
        return sorted_patterns(width)[rank]
    ones, word = 0, 0
    while rank >= comb(width, ones):
        rank -= comb(width, ones)
        ones += 1
    for bit in reversed(range(width)):
        without = comb(bit, ones)
        if rank >= without:
            rank, ones, word = rank - without, ones - 1, word | 1 << bit
    return word


def answer(spec, x, public=None, private=None):
    return x & (2**spec["width"] - 1)


def outcome(spec, word, is_inside, rank):
    outcomes, inside = channel(spec)
    return word ^ pattern(spec["width"], rank if is_inside else inside + rank)


def public_block(width, coordinates, public):
    """Floyd's subset; bit i of the word belongs to entry i."""
    coins, taken = public.coins(MASKS_AND_BLOCKS), []
    for j in range(coordinates - width, coordinates):
        r = below(coins.word, j + 1)
        taken.append(j if r in taken else r)
    return taken
