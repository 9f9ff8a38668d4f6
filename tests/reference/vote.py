# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""One vote among d features or none, by the oracle with the smaller variance (section 7)."""
from . import grr, walsh_hash
from .exp_neg import exp_neg_nano
from .refused import require

NUMBER, FIELDS = 11, ("features", "oracle", "bits")
GRR, WALSH_HASH = 1, 2


def choose_oracle(features, epsilon_nano):
    """(oracle, bits): bits is 0 for grr."""
    e8 = (2**64 - 1) // (exp_neg_nano(epsilon_nano) >> 8)
    best, chosen = (features + 1 - 2) * 256 + e8, (GRR, 0)
    for bits in range(1, 13):
        others = 2**bits - 1
        loss = (e8 + 256 * others)**2 // (256 * others)
        if loss < best:
            best, chosen = loss, (WALSH_HASH, bits)
    return chosen


def check_parameters(spec):
    require(2 <= spec["features"] < 2**24, "bad_dimension")
    require(spec["oracle"] in (GRR, WALSH_HASH), "bad_channel")
    require(spec["bits"] == 0 if spec["oracle"] == GRR else 1 <= spec["bits"] <= 12, "bad_channel")


def oracle(spec):
    categories = spec["features"] + 1
    if spec["oracle"] == GRR:
        return grr, {"categories": categories}
    return walsh_hash, {"categories": categories, "bits": spec["bits"]}


def channel(spec):
    stem, inner = oracle(spec)
    return stem.channel(inner)


def answer(spec, x, public, private=None):
    stem, inner = oracle(spec)
    return stem.answer(inner, min(x, spec["features"]), public)


def outcome(spec, answer, is_inside, rank):
    stem, inner = oracle(spec)
    return stem.outcome(inner, answer, is_inside, rank)
