# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Local hashing with a random linear hash of b bits."""
from .bits import parity, set_or_rest
from .coins import MASKS_AND_BLOCKS
from .refused import require

NUMBER, FIELDS = 2, ("categories", "bits")


def check_parameters(spec):
    require(2 <= spec["categories"] <= 2**24, "bad_dimension")
    require(1 <= spec["bits"] <= 12, "bad_channel")


def channel(spec):
    return 2**spec["bits"], 1


def masks(spec, public):
    coins, used = public.coins(MASKS_AND_BLOCKS), 2**(spec["categories"] - 1).bit_length() - 1
    return [coins.word() & used for _ in range(spec["bits"])]


def answer(spec, x, public, private=None):
    x = x if x < spec["categories"] else 0
    return sum(parity(mask & x) << i for i, mask in enumerate(masks(spec, public)))


def outcome(spec, bucket, is_inside, rank):
    return set_or_rest([bucket], is_inside, rank)
