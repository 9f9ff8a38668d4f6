# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Vectors of the question top: parts of items, their hashes, reports, and parts that are refused."""
from . import grr, item, stem
from .refused import status_of
from .vector_seeds import entropy_for_side, identity, private_of, public_of

ID, NAME = bytes.fromhex("efcdab8967452301"), "münchen-ost".encode()
GOOD = (((8, 0, 16, 0), 1, 10**9, ID), ((8, 0, 32, 0), 3, 2 * 10**9, ID), ((8, 0, 48, 0), 6, 4 * 10**9, ID),
        ((8, 0, 64, 0), 6, 4 * 10**9, ID), ((8, 0, 64, 0), 12, 8 * 10**9, b""), ((4, 0, 64, 0), 2, 10**9, ID[:3]),
        ((16, 1, 20, 0), 3, 2 * 10**9, NAME), ((16, 1, 64, 0), 3, 2 * 10**9, NAME), ((16, 1, 20, 1), 3, 2 * 10**9, NAME),
        ((16, 1, 20, 8), 3, 2 * 10**9, NAME), ((15, 1, 48, 8), 6, 4 * 10**9, NAME * 3), ((32, 1, 0, 16), 1, 10**9, NAME * 3),
        ((1, 1, 64, 0), 2, 10**9, b"x"), ((16, 1, 64, 0), 3, 2 * 10**9, b""), ((5, 1, 20, 3), 3, 2 * 10**9, b"abcde"))
BAD = ((0, 0, 64, 0), (9, 0, 64, 0), (0, 1, 64, 0), (33, 1, 64, 0), (8, 2, 64, 0), (8, 0, 65, 0), (8, 0, 0, 0), (16, 1, 49, 1),
       (16, 1, 20, 9), (15, 1, 20, 9), (2**32 - 1, 1, 20, 0), (16, 1, 2**32 - 1, 0), (16, 1, 20, 2**32 - 1))


def good(number, part, bits, epsilon_nano, bytes_):
    threshold = stem.derive(grr, {"categories": 2**bits}, epsilon_nano)
    who = identity(number)
    entropy = entropy_for_side(threshold, number % 3 != 1, 0, number)
    word = item.word(part, who[0], bytes_, public_of(who))
    return {"study": who[0].hex(), "pseudonym": f"{who[1]:016x}", "round": who[2], "part": list(part), "fragment": item.fragment_of(part[3], public_of(who)), "item": bytes_.hex(),
            "word": f"{word:016x}", "bits": bits, "hash": item.hash_of(bits, public_of(who), word), "epsilon_nano": epsilon_nano,
            "threshold": threshold, "entropy": entropy.hex(),
            "report": item.report(part, bits, threshold, who[0], bytes_, public_of(who), private_of(entropy))}


def item_file():
    bad = [{"part": list(part), "status": status_of(item.check_part, *part)} for part in BAD]
    assert all(row["status"] != "ok" for row in bad)
    for part, _, _, _ in GOOD:
        item.check_part(*part)
    return {"good": [good(number, *row) for number, row in enumerate(GOOD)], "bad": bad}
