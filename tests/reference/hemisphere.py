# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""One bit: on which side of a public direction the vector lies."""
from .codebook import nibble_pair
from .coins import CODEWORDS
from .refused import require

NUMBER, FIELDS = 6, ("dimension",)


def check_parameters(spec):
    require(2 <= spec["dimension"] <= 512, "bad_dimension")


def channel(spec):
    return 2, 1


def answer(spec, x, public, private=None):
    direction = map(nibble_pair, public.coins(CODEWORDS).bytes(spec["dimension"]))
    return 1 if sum(u * v for u, v in zip(direction, x, strict=True)) >= 0 else 0


def outcome(spec, bit, is_inside, rank):
    return bit if is_inside else 1 - bit
