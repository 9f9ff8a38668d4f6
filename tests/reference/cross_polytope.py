# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""The k closest of the 2D signed axes after a public rotation of three sign and Hadamard rounds."""
from .bits import set_or_rest
from .coins import ROTATION_SIGNS
from .refused import require

NUMBER, FIELDS = 7, ("log2_size", "dimension", "closest")


def check_parameters(spec):
    require(2 <= spec["dimension"] <= 4096, "bad_dimension")
    require(6 <= spec["log2_size"] <= 12, "bad_channel")
    require(spec["dimension"] <= 2**spec["log2_size"], "bad_dimension")
    require(1 <= spec["closest"] <= 2**spec["log2_size"], "bad_channel")


def channel(spec):
    return 2 * 2**spec["log2_size"], spec["closest"]


def walsh_hadamard(y):
    """Unnormalised, natural order: entry i is the sum of (-1)^popcount(i AND j) y_j."""
    if len(y) == 1:
        return y
    half = len(y) // 2
    left, right = walsh_hadamard(y[:half]), walsh_hadamard(y[half:])
    return [a + b for a, b in zip(left, right)] + [a - b for a, b in zip(left, right)]


def rotate(log2_size, x, public):
    size = 2**log2_size
    signs = public.coins(ROTATION_SIGNS).bytes(3 * size // 8)
    y = list(x) + [0] * (size - len(x))
    for turn in range(3):
        bit = [signs[(turn * size + j) >> 3] >> (j & 7) & 1 for j in range(size)]
        y = walsh_hadamard([-value if flip else value for value, flip in zip(y, bit)])
        if turn < 2:
            y = [value >> (log2_size >> 1) for value in y]
    assert all(-2**31 <= value < 2**31 for value in y)
    return y


def answer(spec, x, public, private=None):
    assert len(x) == spec["dimension"]
    log2_size, size = spec["log2_size"], 2**spec["log2_size"]
    y = rotate(log2_size, x, public)
    keys = [(min(abs(value) >> (2 + (log2_size & 1)), 65535) << log2_size) + size - 1 - j for j, value in enumerate(y)]
    top = sorted(range(size), key=lambda j: keys[j], reverse=True)[:spec["closest"]]
    return sorted(2 * j + (y[j] < 0) for j in top)


def outcome(spec, closest, is_inside, rank):
    return set_or_rest(closest, is_inside, rank)
