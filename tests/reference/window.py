# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""A scalar in [-1, 1], rounded to one of N levels; the w outcomes from that level on are inside."""
from .bits import set_or_rest
from .refused import require

NUMBER, FIELDS = 5, ("outcomes", "width")


def check_parameters(spec):
    require(2 <= spec["outcomes"] <= 128, "bad_channel")
    require(1 <= spec["width"] < spec["outcomes"], "bad_channel")


def channel(spec):
    return spec["outcomes"], spec["width"]


def level(spec, x, round_word):
    steps = spec["outcomes"] - spec["width"]
    position = (max(-32768, min(x, 32768)) + 32768) * steps
    return (position >> 16) + ((round_word >> 16) < (position & 65535))


def answer(spec, x, public, private):
    return level(spec, x, private.word())


def outcome(spec, first, is_inside, rank):
    return set_or_rest(range(first, first + spec["width"]), is_inside, rank)
