# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Randomized response over c categories."""
from .bits import set_or_rest
from .refused import require

NUMBER, FIELDS = 1, ("categories",)


def check_parameters(spec):
    require(2 <= spec["categories"] <= 2**24, "bad_dimension")


def channel(spec):
    return spec["categories"], 1


def answer(spec, x, public=None, private=None):
    return x if x < spec["categories"] else 0


def outcome(spec, category, is_inside, rank):
    return set_or_rest([category], is_inside, rank)
