# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Vectors of the parts below the randomizers: ChaCha, coins, e^-y, two-level channels, digests."""
import hashlib

from . import block, two_level
from .chacha import chacha_block
from .coins import PrivateCoins, PublicCoins
from .exp_neg import exp_neg, exp_neg_nano, q40_of_nano
from .refused import status_of
from .vector_seeds import identity, public_of, seed
from .vector_stems import NANO, TOP


def chacha_file():
    rfc_key = bytes(range(32))
    inputs = [(rfc_key, 1, bytes.fromhex("000000090000004a00000000"), 20),
              (rfc_key, 1, bytes.fromhex("000000000000004a00000000"), 20), (bytes(32), 0, bytes(12), 20),
              (bytes(32), 0, bytes(12), 8), (seed("key", 0), 0, bytes(range(12)), 8), (seed("key", 0), TOP, bytes([255] * 12), 8)]
    return {"good": [{"key": k.hex(), "counter": c, "nonce": n.hex(), "rounds": r, "block": chacha_block(k, c, n, r).hex()}
                     for k, c, n, r in inputs]}


def public_coins_file():
    good = []
    for number, purpose in enumerate((0, 1, 2, 3, 4, 16, 17, 18)):
        study, pseudonym, round_number = identity(number)
        pseudonym = pseudonym if purpose < 16 else 0
        coins = PublicCoins(study, pseudonym, round_number, purpose)
        words = [coins.word() for _ in range(40)]
        good.append({"study": study.hex(), "pseudonym": f"{pseudonym:016x}", "round": round_number, "purpose": purpose,
                     "words_0_to_3": words[:4], "words_15_to_17": words[15:18], "word_39": words[39]})
    return {"good": good}


def public_block_file():
    shapes = ((1, 1), (5, 5), (8, 9), (8, 1024), (24, 24), (24, 25), (24, 2**24))
    good = []
    for number, (width, coordinates) in enumerate(shapes):
        study, pseudonym, round_number = identity(number)
        taken = block.public_block(width, coordinates, public_of((study, pseudonym, round_number)))
        good.append({"study": study.hex(), "pseudonym": f"{pseudonym:016x}", "round": round_number, "width": width,
                     "coordinates": coordinates, "taken": taken})
    return {"good": good}


def with_ones(ones):
    """A seed with that many bits set and no two equal bytes side by side."""
    bytes_, n = bytearray(32), 0
    for bit in range(8):
        for i in range(32):
            position = (bit + i) % 8
            if n < ones:
                bytes_[i] |= 1 << position
                n += 1
    return bytes(bytes_)


def session(seeds, drawn_after_the_last=False):
    """What one object answers to a series of seeds: status and, when there are any, the first words."""
    coins, steps = PrivateCoins(), []
    for i, bytes_ in enumerate(seeds):
        status = status_of(coins.begin_report, bytes_)
        wanted = 0 if drawn_after_the_last and i < len(seeds) - 1 else 10 if len(seeds) < 3 else 3
        words = [coins.word() for _ in range(wanted)] if status == "ok" else []
        steps.append({"seed": bytes_.hex(), "status": status, "words": words})
    return {"steps": steps}


def private_coins_file():
    a, b = seed("entropy", 0), seed("entropy", 1)
    run = bytearray(a)
    run[13:19] = bytes([a[13]] * 6)
    short_run = bytearray(a)
    short_run[13:18] = bytes([a[13]] * 5)
    last_run = bytearray(a)
    last_run[26:32] = bytes([7] * 6)
    same_start = a[:8] + b[8:]
    near_start = a[:7] + b[7:]
    counted = bytes([a[0] ^ 1]) + a[1:]  # the same secret, and a counter one further
    return {"good": [session([a]), session([a, b]), session([a, b, a, near_start]), session([bytes(short_run)]),
                     session([with_ones(72)]), session([with_ones(184)]),
                     session([a, b], drawn_after_the_last=True), session([a, counted], drawn_after_the_last=True)],
            "bad": [session([bytes(32)]), session([b"\xff" * 32]), session([bytes(run)]), session([bytes(last_run)]),
                    session([with_ones(71)]), session([with_ones(185)]), session([a, a]), session([a, same_start]),
                    session([a, bytes(32), b, b]), session([a, bytes(run), a])]}


def exp_neg_file():
    exponents = [0, 1, 2, 1099, 2**30, 2**40 // 2, 2**40, 2**41 + 12345, 25912195082717, 2**45, 2**46 - 1]
    nanos = [1, 2, 10, 999, 10**6, *NANO.values(), 6 * 10**9, 12 * 10**9 - 1, 12 * 10**9]
    return {"good": [{"h": h, "r": f"{exp_neg(h):016x}"} for h in exponents],
            "good_nano": [{"epsilon_nano": e, "h": q40_of_nano(e), "r": f"{exp_neg_nano(e):016x}"} for e in nanos]}


def two_level_row(outcomes, inside, threshold, epsilon_nano):
    return {"outcomes": outcomes, "inside": inside, "threshold": threshold, "epsilon_nano": epsilon_nano}


def two_level_file():
    shapes = [(2, 1), (3, 1), (4, 3), (12, 3), (64, 5), (128, 9), (512, 177), (4096, 1), (2**24, 1), (2**24, 2**23), (2**31, 2**30)]
    good = []
    for epsilon_nano in NANO.values():
        for m, k in shapes:
            t = two_level.derive(m, k, epsilon_nano)
            good.append(two_level_row(m, k, t, epsilon_nano) | {"delivered_nano": two_level.delivered(m, k, t)})
    for m, k, e in ((2, 1, 1), (3, 1, 1), (2**24, 1, 1), (2, 1, 12 * 10**9), (2**31, 2**31 - 1, 12 * 10**9)):
        t = two_level.derive(m, k, e)
        good.append(two_level_row(m, k, t, e) | {"delivered_nano": two_level.delivered(m, k, t)})
    one, t = 10**9, 3139872686
    rows = [(2, 1, 0, one), (2, 1, 1, one), (2, 1, t + 1, one), (2, 1, 2**32 - 1 - t, one), (2, 1, t, one - 1), (2, 1, TOP, 12 * one),
            (2, 0, t, one), (2, 2, t, one), (2, 3, t, one), (0, 0, t, one), (1, 1, t, one), (1, 0, t, one),
            (2**31 + 1, 1, t, one), (TOP, 1, t, one), (3, 1, t, one), (4, 1, t, one), (64, 1, t, one), (64, 16, t, one),
            (2**31, 1, t, one), (2**31, 2**31 - 1, 1, one)]
    bad = [two_level_row(*row) | {"status": status_of(two_level.check, *row)} for row in rows]
    assert all(row["status"] != "ok" for row in bad)
    underivable = [(2, 1, 0), (2, 1, 12 * one + 1), (16777213, 1, 1), (1_500_000_000, 1, 1000), (2, 0, one), (2, 2, one)]
    bad_derive = [{"outcomes": m, "inside": k, "epsilon_nano": e, "status": status_of(two_level.derive, m, k, e)}
                  for m, k, e in underivable]
    assert all(row["status"] != "ok" for row in bad_derive)
    return {"good": good, "bad": bad, "bad_derive": bad_derive}


def sha256_file():
    texts = [b"", b"abc", b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", bytes(55), bytes(range(64)), bytes(range(200))]
    return {"good": [{"text": text.hex(), "digest": hashlib.sha256(text).hexdigest()} for text in texts]}
