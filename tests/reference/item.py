# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""The question top (WIRE.md): a part of an item as a word, its linear hash, and the report through grr."""
import hashlib

from . import grr, stem
from .bits import parity
from .coins import MASKS_AND_BLOCKS, below
from .refused import require


COORDINATE = 6


def check_part(length, hashed, key_bits, fragments):
    require(hashed <= 1 and 1 <= length <= (32 if hashed else 8), "bad_field")
    require(fragments <= (length + 1) // 2 and key_bits <= (48 if fragments else 64), "bad_field")
    require(key_bits or fragments, "bad_field")


def fragment_of(fragments, public):
    """The fragment, from 1 on, that public coins choose; 0 if there are none."""
    return 1 + below(public.coins(COORDINATE).word, fragments) if fragments else 0


def word(part, study_seed, item, public):
    length, hashed, key_bits, fragments = part
    fragment = fragment_of(fragments, public)
    held = (item[:length] + bytes(32))[:length]
    key = hashlib.sha256(study_seed + held).digest()[:8] if hashed else (held + bytes(8))[:8]
    first = int.from_bytes(key, "little") >> (64 - key_bits)
    if not fragment:
        return first
    pair = (held + bytes(1))[2 * (fragment - 1):2 * fragment]
    return first << 16 | int.from_bytes(pair, "little")


def hash_of(bits, public, value):
    coins, out = public.coins(MASKS_AND_BLOCKS), 0
    for i in range(bits):
        mask = coins.word()
        mask |= coins.word() << 32
        out |= (parity(mask & 0xFFFFFFFF & value) ^ parity((mask & value) >> 32)) << i
    return out


def report(part, bits, threshold, study_seed, item, public, private):
    return stem.report(grr, {"categories": 2**bits}, threshold, hash_of(bits, public, word(part, study_seed, item, public)), public, private)
