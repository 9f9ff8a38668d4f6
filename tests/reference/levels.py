# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""The local answer of recipe levels (WIRE.md, section 6): this device's means of columns and target, in Q24."""
import random

PRODUCTS, COLUMNS, TARGET, BETTER = range(4)
ONE = 2**24


def clip(v, most):
    return max(-most, min(most, v))


def nearest(v, bits):
    """v / 2^bits, a half upward."""
    return (v + (1 << (bits - 1))) >> bits


def level(values):
    size, n = abs(sum(values)) * 512, len(values)
    mean = (size + n // 2) // n
    return mean if sum(values) >= 0 else -mean


def answer(measure, rows, unit, model, target_centre, fit_centre):
    """rows: lists of Q15 numbers, the target last; model: (feature, Q24) in ascending order."""
    if not rows:
        return [0] * {PRODUCTS: len(model) + 1, COLUMNS: len(model)}.get(measure, 1)
    columns = [level(column) for column in zip(*rows)]
    r = columns[-1] - target_centre
    away = [clip(columns[feature] - theta, 2**26) for feature, theta in model]
    if measure == COLUMNS:
        return away
    if measure == PRODUCTS:
        return [nearest(unit * r, 15)] + [nearest(x * r, 24) for x in away]
    if measure == TARGET:
        return [r]
    u = clip(sum(nearest(theta * columns[feature], 24) for feature, theta in model) - fit_centre, 2**27)
    return [clip(nearest(u * (2 * r - u), 24), 2**31 - 1)]


def record(measure, rows, unit, model, target_centre, fit_centre):
    return {"measure": measure, "features": 3, "unit": unit, "rows": [x for row in rows for x in row],
            "model": [v for entry in model for v in entry], "target_centre": target_centre, "fit_centre": fit_centre,
            "answer": answer(measure, rows, unit, model, target_centre, fit_centre)}


def levels_file():
    """Ends of the ranges, no rows, and rows at random."""
    draw = random.Random(23)
    most = 2**25
    sets = [[], [[0, 0, 0, 0]], [[32767, -32768, 1, -32768]] * 2, [[-32768, 32767, -1, 32767]] * 3,
            [[1, -1, 2, 1], [0, 0, 0, 0]], [[3, -3, 5, -1], [0, 0, 0, 0], [0, 0, 0, 0]]]
    sets += [[[draw.randrange(-32768, 32768) for _ in range(4)] for _ in range(draw.randrange(1, 6))] for _ in range(4)]
    models = [[(0, 0)], [(1, ONE // 3), (2, -ONE // 5)], [(0, 2**31 - 1), (1, -2**31), (2, 12345)]]
    good = []
    for rows in sets:
        for target_centre, fit_centre in ((0, 0), (most, -most), (-most, most), (draw.randrange(-ONE, ONE), draw.randrange(-ONE, ONE))):
            good.append(record(TARGET, rows, 8192, [], target_centre, 0))
            for model in models:
                good.append(record(PRODUCTS, rows, draw.choice((1, 8192, 32767)), model, target_centre, 0))
                good.append(record(BETTER, rows, 8192, model, target_centre, fit_centre))
        good += [record(COLUMNS, rows, 8192, model, 0, 0) for model in models]
    return {"good": good}
