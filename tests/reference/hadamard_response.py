# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Hadamard response: the inside is half of the outcomes, those orthogonal to the category's Walsh row."""
from .bits import parity
from .refused import require

NUMBER, FIELDS = 3, ("log2_size", "categories")


def check_parameters(spec):
    require(2 <= spec["categories"] < 2**24, "bad_dimension")
    require(2 <= spec["log2_size"] <= 24, "bad_channel")
    require(spec["categories"] < 2**spec["log2_size"], "bad_dimension")


def channel(spec):
    return 2**spec["log2_size"], 2**(spec["log2_size"] - 1)


def answer(spec, x, public=None, private=None):
    return (x if x < spec["categories"] else 0) + 1


def outcome(spec, v, is_inside, rank):
    low = v & -v
    y0 = (rank & ~(low - 1)) << 1 | rank & (low - 1)
    wanted = 0 if is_inside else 1
    return y0 if parity(y0 & v) == wanted else y0 | low
