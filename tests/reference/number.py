# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""The local answer of the question `number` (WIRE.md, section 6): from readings to a place, a bin or a cell."""
import random

NO_NUMBER = -2**31
LAST, MEAN, LARGEST, COUNT = range(4)


def reduced(readings, rule, rows, missing):
    """What a device makes of the readings of its hook."""
    held = [reading for reading in readings[:rows] if reading != NO_NUMBER]
    if rule == COUNT:
        return len(held)
    if not held:
        return missing
    if rule == LAST:
        return held[-1]
    if rule == LARGEST:
        return max(held)
    size, n = abs(sum(held)), len(held)
    mean = (size + n // 2) // n
    return mean if sum(held) >= 0 else -mean


def answer(number, pairs, categories):
    """A place in Q15 without categories, else a bin of the one range or a cell between cuts."""
    if len(pairs) > 1:
        return sum(number >= cut for cut, _ in pairs)
    low, high = pairs[0]
    u, w = min(max(number, low), high) - low, high - low
    return min(u * categories // w, categories - 1) if categories else (2**16 * u + w // 2) // w - 2**15


def record(readings, rule, rows, missing, pairs, categories, hooked=True):
    number = reduced(readings, rule, rows, missing) if hooked else (missing if readings[0] == NO_NUMBER else readings[0])
    return {"readings": readings, "hooked": hooked, "rule": rule, "rows": rows, "missing": missing,
            "pairs": [end for pair in pairs for end in pair], "categories": categories, "answer": answer(number, pairs, categories)}


def number_file():
    """Answers at the ends, at ties, without readings, and at random."""
    most = 2**31 - 1
    ranges = [(0, 60000), (-1, 0), (-most, most), (-40000, -39999), (5, 1000005)]
    good = []
    for low, high in ranges:
        middle = (low + high) // 2
        for number in (NO_NUMBER, -most, low - 1 if low > -most else low, low, low + 1, middle, high - 1, high, most):
            for categories in (0, 2, 7, 64):
                good.append(record([number], LAST, 1, middle, [(low, high)], categories, hooked=False))
    for rule in (LAST, MEAN, LARGEST, COUNT):
        for readings in ([], [NO_NUMBER], [NO_NUMBER, 7, NO_NUMBER], [1, 2], [-1, -2], [-3, 2, 2], [most] * 5, [-most] * 5, [9, 8, 7, 100]):
            good.append(record(readings, rule, 3, -5, [(-20, 20)], 0))
            good.append(record(readings, rule, 9, 3, [(-2, 0), (2, 0), (7, 0)], 4))
    draw = random.Random(11)
    for _ in range(60):
        readings = [draw.randrange(-1000, 5000) for _ in range(draw.randrange(9))]
        pairs = [(draw.randrange(-900, 900), draw.randrange(1000, 4000))]
        good.append(record(readings, draw.randrange(4), draw.randrange(1, 9), draw.randrange(-5, 5), pairs, draw.choice((0, 2, 16, 33))))
    return {"good": good}
