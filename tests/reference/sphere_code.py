# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""The k closest of M public codewords, for small dimensions."""
from math import isqrt

from .bits import set_or_rest
from .codebook import nibble_pair
from .coins import CODEWORDS
from .refused import require

NUMBER, FIELDS = 8, ("dimension", "codewords", "closest")


def check_parameters(spec):
    require(2 <= spec["dimension"] <= 64, "bad_dimension")
    require(2 <= spec["codewords"] <= 4096, "bad_channel")
    require(1 <= spec["closest"] < spec["codewords"], "bad_channel")


def channel(spec):
    return spec["codewords"], spec["closest"]


def codewords(spec, public):
    coins = public.coins(CODEWORDS)
    for _ in range(spec["codewords"]):
        pairs = coins.bytes(2 * spec["dimension"])
        yield [nibble_pair(b0) + nibble_pair(b1) for b0, b1 in zip(pairs[::2], pairs[1::2])]


def score(u, x):
    """The length of x along u: u is divided by its norm, in integers."""
    n = sum(value * value for value in u)
    inverse = 2**28 // isqrt(256 * n) if n else 0
    along = sum(a * b for a, b in zip(u, x, strict=True)) * inverse
    return max(-32768, min(along >> 24, 32767))


def answer(spec, x, public, private=None):
    scores = [score(u, x) for u in codewords(spec, public)]
    best_first = sorted(range(len(scores)), key=lambda i: (-scores[i], i))
    return sorted(best_first[:spec["closest"]])


def outcome(spec, closest, is_inside, rank):
    return set_or_rest(closest, is_inside, rank)
