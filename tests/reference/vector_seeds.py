# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""The seeds, identities and inputs of the vectors: all from SHA-256 of a label and a number."""
import hashlib
from functools import lru_cache

from .coins import PrivateCoins, Public

NAMES = ((1, 0), (0x0123456789ABCDEF, 1), (2**64 - 1, 65535), (77, 258))


@lru_cache(maxsize=None)
def seed(label, number):
    return hashlib.sha256(f"sotto vectors {label} {number}".encode()).digest()


def private_of(entropy):
    coins = PrivateCoins()
    coins.begin_report(entropy)
    return coins


@lru_cache(maxsize=None)
def first_words(number):
    coins = private_of(seed("entropy", number))
    return coins.word(), coins.word()


def entropy_for_side(threshold, is_inside, coin_position, start):
    """The first seed from `start` on whose coin falls on the wanted side; `coin_position` is 1 after a rounding word."""
    number = start
    while (first_words(number)[coin_position] < threshold) != is_inside:
        number += 1
    return seed("entropy", number)


def identity(number):
    """(study seed, pseudonym, round)."""
    return (seed("study", number % 2), *NAMES[number % len(NAMES)])


def public_of(who):
    return Public(*who)


def vector(label, dimension, largest=32767):
    """int16 coordinates in [-largest, largest]."""
    words, number = [], 0
    while len(words) < dimension:
        block = seed(f"vector {label}", number)
        words += [int.from_bytes(block[i:i + 2], "little") for i in range(0, 32, 2)]
        number += 1
    return [word % (2 * largest + 1) - largest for word in words[:dimension]]


def edge_vectors(dimension):
    """All zero, saturated both ways, one coordinate, equal pairs (ties), and an ordinary one."""
    return [
        vector("ordinary", dimension),
        [0] * dimension,
        [32767] * dimension,
        [-32768] * dimension,
        [0] * (dimension - 1) + [-32768],
        [1000 if j % 2 else -1000 for j in range(dimension)],
    ]
